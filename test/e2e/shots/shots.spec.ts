/** Not tests: pictures of every screen, for review (`npm run shots`). */
import { join } from 'node:path'
import { REPO_ROOT } from '../../support/executable.ts'
import { SCREENS } from '../screens/screens.ts'
import { THEMES, test, WIDTHS } from '../screens/stage.ts'

const SHOTS = join(REPO_ROOT, 'dist/shots')

for (const [width, device] of Object.entries(WIDTHS)) {
  test.describe(width, () => {
    test.use(device)
    const kind = device.viewport.width > 736 ? 'wide' : 'narrow'
    for (const { name, only, visitor, go } of SCREENS) {
      if (only && only !== kind) continue
      test.describe(name, () => {
        test.use({ signedIn: !visitor })
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
