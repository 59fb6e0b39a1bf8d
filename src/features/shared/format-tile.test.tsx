import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { FORMATS } from '../../contract/formats.ts'
import { FormatTile } from '../../ui/FormatTile.tsx'

test.each(FORMATS.map(({ id }) => id))(
  'the tile of %s shows a whole word or its abbreviation, never its beginning',
  (id) => {
    const word = render(<FormatTile format={id} />).container.textContent.toLowerCase()
    expect(word).toMatch(/^[a-z]{2,4}$/)
    if (word !== id) expect(id.startsWith(word)).toBe(false)
  },
)
