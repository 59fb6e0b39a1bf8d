import { afterEach, expect, test } from 'vitest'
import { giveFocusBack, keepFocus } from './focus.ts'

const nextFrame = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => resolve()))

/** Waits until the change is observed, and for the frame after it. */
async function settled(): Promise<void> {
  await Promise.resolve()
  await nextFrame()
  await nextFrame()
}

let stop = (): void => {}
afterEach(() => {
  stop()
  document.body.replaceChildren()
})

function page(html: string): { readonly get: (id: string) => HTMLElement } {
  document.body.innerHTML = `<main tabindex="-1">${html}</main>`
  const main = document.querySelector('main')
  if (!main) throw new Error('no main')
  stop = keepFocus(main)
  return {
    get(id) {
      const found = document.querySelector<HTMLElement>(`#${id}`)
      if (!found) throw new Error(`no ${id}`)
      return found
    },
  }
}

const LIST = '<ul id="list"><li id="one"><button id="a">A</button></li><li><button id="b">B</button></li></ul>'

test('if the focused element is removed, its closest ancestor gets the focus', async () => {
  const { get } = page(LIST)
  get('a').focus()
  const list = get('list')
  get('one').remove()
  await settled()
  expect(document.activeElement).toBe(list)
})

test('if all its ancestors are removed, the content gets the focus', async () => {
  const { get } = page(LIST)
  get('a').focus()
  get('list').remove()
  await settled()
  expect(document.activeElement).toBe(document.querySelector('main'))
})

test('if the focused element is moved elsewhere, it gets the focus back', async () => {
  const { get } = page(`${LIST}<div id="new"></div>`)
  get('a').focus()
  const moving = get('one')
  moving.remove()
  get('new').append(moving)
  // Browsers take the focus from an element that is removed.
  get('a').blur()
  await settled()
  expect(document.activeElement).toBe(get('a'))
})

test('if the focused element is disabled, its closest ancestor gets the focus', async () => {
  const { get } = page(LIST)
  get('a').focus()
  get('a').setAttribute('disabled', '')
  await settled()
  expect(document.activeElement).toBe(get('one'))
})

test('focus that was moved elsewhere or removed on purpose is left alone', async () => {
  const { get } = page(LIST)
  get('a').focus()
  get('one').remove()
  get('b').focus()
  await settled()
  expect(document.activeElement).toBe(get('b'))
  get('b').blur()
  document.querySelector('main')?.append(document.createElement('p'))
  await settled()
  expect(document.activeElement).toBe(document.body)
})

test('focus returns to the former element, or to the content if that’s gone, but only if it was lost', async () => {
  const { get } = page(LIST)
  const [a, b] = [get('a'), get('b')]
  giveFocusBack(a)
  await settled()
  expect(document.activeElement).toBe(a)
  giveFocusBack(b)
  await settled()
  expect(document.activeElement).toBe(a)
  a.blur()
  b.remove()
  giveFocusBack(b)
  await settled()
  expect(document.activeElement).toBe(document.querySelector('main'))
  document.querySelector('main')?.blur()
  giveFocusBack(document.body)
  await settled()
  expect(document.activeElement).toBe(document.querySelector('main'))
})
