import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { version } from '../../../../package.json'
import AboutSection from './AboutSection.tsx'

test('the version is shown once', () => {
  render(<AboutSection />, { wrapper: MemoryRouter })
  const headings = screen.getAllByRole('heading').map(({ textContent }) => textContent)
  expect(headings.filter((text) => text.includes(version))).toEqual([`Version ${version}`])
  expect(headings).toContain('In this version')
})
