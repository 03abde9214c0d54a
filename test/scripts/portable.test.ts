/** The scripts of package.json run in cmd and PowerShell too. */
import { expect, test } from 'bun:test'
import packageJson from '../../package.json'

test.each(Object.entries(packageJson.scripts))(
  'npm run %s needs nothing but Node: %s',
  (_, command) => {
    expect(command).toMatch(/^node scripts\/(?:run|start)\.mjs(?: [\w./@:-]+)*$/)
  },
)
