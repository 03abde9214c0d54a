/** Takes screenshots of every screen, for review (`npm run shots`). They assert nothing. */
import { join } from 'node:path'
import { REPO_ROOT } from '../../support/server/executable.ts'
import { SCREENS } from '../screens/screens.ts'
import { THEMES, test, WIDTHS } from '../screens/stage.ts'

const SHOTS = join(REPO_ROOT, 'dist/shots')

/** The smallest and the largest window; only the screenshots use them. */
const EXTREMES = {
  320: { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true },
  2560: { viewport: { width: 2560, height: 1440 } },
} as const

for (const [width, device] of Object.entries({ ...WIDTHS, ...EXTREMES })) {
  test.describe(width, () => {
    test.use(device)
    const kind = device.viewport.width > 736 ? 'wide' : 'narrow'
    for (const { name, only, visitor, proxied = false, go } of SCREENS) {
      if (only && only !== kind) continue
      test.describe(name, () => {
        test.use({ signedIn: !visitor, proxied })
        test(name, async ({ stage }) => {
          await go(stage)
          for (const theme of THEMES) {
            await stage.page.emulateMedia({ colorScheme: theme })
            await stage.page.screenshot({ path: join(SHOTS, `${name}-${width}-${theme}.png`) })
          }
        })
      })
    }
  })
}
