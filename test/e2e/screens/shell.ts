/** Screens of the shell: commands and terminal. */
import { expect } from 'playwright/test'
import { openProject } from './prepare.ts'
import type { Screen } from './screen.ts'
import type { Stage } from './stage.ts'

export const SHELL_SCREENS: readonly Screen[] = [
  {
    name: 'shell',
    async go(stage) {
      await openShell(stage)
      const { shell } = stage
      await shell.run('ls -s --color=always "02 Interviews" .')
      await expect(shell.output).toContainText('total')
      await shell.run(
        `sh -c 'printf "\\033[32m412 clips paired\\033[0m, 3 left over\\n"; ls none; exit 2'`,
      )
      await expect(shell.output).toContainText('Ended with code 2.')
      await shell.run('rm *')
      await expect(shell.output).toContainText('not allowed')
    },
  },
  {
    name: 'shell-running',
    async go(stage) {
      await openShell(stage)
      await stage.shell.run('cat')
      await expect(stage.shell.stop).toBeVisible()
    },
  },
  {
    name: 'shell-terminal',
    async go(stage) {
      await openShell(stage)
      await stage.shell.tab('Terminal').click()
      await expect(stage.shell.keys).toBeFocused()
      await stage.page.keyboard.type('ls -s --color=always\n')
      await expect(stage.shell.screen).toContainText('teaser-cut-v12.mp4')
    },
  },
  {
    name: 'shell-terminal-ended',
    async go(stage) {
      await openShell(stage)
      await stage.shell.tab('Terminal').click()
      await expect(stage.shell.keys).toBeFocused()
      await stage.page.keyboard.type('exit 1\n')
      await expect(stage.shell.program).toBeVisible()
    },
  },
]

async function openShell(stage: Stage): Promise<void> {
  await openProject(stage)
  if (stage.isNarrow) {
    await stage.files.topButton('More').click()
    await stage.files.menuItem('Shell').click()
  } else {
    await stage.shell.toggle()
  }
  await expect(stage.shell.commandField).toBeFocused()
}
