import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const WIDE = { width: 1440, height: 900 }
const NARROW = { width: 390, height: 844 }
const THEMES = ['light', 'dark'] as const

/**
 * Checks the page with axe in both themes and sizes; also fails if something is wider than the window. The theme only
 * affects colors, so all rules run once per size.
 * @param state what the page shows, for the failure's message
 */
export async function expectAccessible(page: Page, state: string, sizes = [WIDE, NARROW]): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size)
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme })
      // Nobody chose the colors during an animation.
      await page.evaluate(() => Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))
      const axe = axeOn(page)
      const { violations } = await (colorScheme === 'light' ? axe : axe.withRules(['color-contrast'])).analyze()
      const serious = violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))])
      expect.soft(serious, `${state}, ${colorScheme} at ${size.width}`).toEqual([])
    }
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect.soft(wider, `${state} is wider than ${size.width}`).toBeLessThanOrEqual(0)
  }
  await page.setViewportSize(WIDE)
}

/**
 * Axe with only the rules that we want. The app has no frames: merging the results of frames in a page of its own would
 * take as long again, as would describing every element that passed.
 */
export function axeOn(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
}

/** Like `expectAccessible`, for what only a narrow window has. */
export async function expectAccessibleNarrow(page: Page, state: string): Promise<void> {
  await expectAccessible(page, state, [NARROW])
}
