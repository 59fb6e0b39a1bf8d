import { expect, it } from 'vitest'
import { askedAddress } from './restore-address.ts'

it.each([
  ['/', '?to=%2Fconvert%2Fx', '/convert/x'],
  ['/app', '?to=%2Fconvert%2Fx%3Fa%3D1%23b', '/app/convert/x?a=1#b'],
  ['/', '', null],
  ['/', '?to=', null],
  ['/', '?to=https%3A%2F%2Fexample.org', null],
  ['/', '?to=%2F%2Fexample.org', null],
])('%s%s is %s', (base, search, address) => expect(askedAddress(base, search)).toBe(address))
