import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from '#wire/api/routes.ts'
import { expect, test } from '../../fixtures.ts'
import { ShellPanel } from '../../pages/ShellPanel.ts'
import { PASSWORD } from '../../users.ts'

test.use({ programs: 'sh,ls,cat,pwd,sleep' })

test.describe('with the first steps', () => {
  test.use({ firstSteps: true })

  test('the first steps leave their place to the shell while it is open', async ({
    page,
    files,
  }) => {
    await files.openRoot()
    const card = page.getByRole('region', { name: 'First steps' })
    await expect(card).toBeVisible()
    const shell = new ShellPanel(page)
    await shell.toggle()
    await expect(shell.panel).toBeVisible()
    await expect(card).toBeHidden()
    await shell.toggle()
    await expect(card).toBeVisible()
  })
})

test.describe('commands', () => {
  test('commands run in the shown folder; their output and new files are shown @spec-2.37', async ({
    page,
    files,
    server,
  }) => {
    await files.openRoot()
    mkdirSync(join(server.root, 'sub'))
    const shell = new ShellPanel(page)
    await shell.toggle()
    await expect(shell.commandField).toBeFocused()
    await expect(shell.panel).toContainText('Allowed commands: sh, ls, cat, pwd')
    await files.row('sub').dblclick()
    await expect(page).toHaveURL(/\/sub\/$/)
    await shell.run(`sh -c 'pwd; echo oops >&2; echo x > made.txt; exit 3'`)
    await expect(shell.output).toContainText(join(server.root, 'sub'))
    await expect(shell.output).toContainText('Errors: oops')
    await expect(shell.output).toContainText('Ended with code 3.')
    await files.shows('made.txt')
    await shell.run('rm made.txt')
    await expect(shell.output).toContainText('Command not allowed.')
    await shell.run(`sh -c 'printf "\\033[31mred\\033[0m \\033[2Jcleared"'`)
    await expect(shell.output).toContainText('red cleared')
  })

  test('commands stream output, take input, and can be stopped', async ({ page, files }) => {
    await files.openRoot()
    const shell = new ShellPanel(page)
    await shell.toggle()
    await shell.run('cat')
    await shell.input.fill('some words')
    await shell.input.press('Enter')
    await expect(shell.output).toHaveText(/cat\s*some words\s*some words/)
    await shell.input.press('Control+d')
    await expect(shell.commandField).toBeFocused()
    // Only a running command can be interrupted: the output differs from the typed text.
    await shell.run(`sh -c 'echo a""wake; exec sleep 600'`)
    await expect(shell.output).toContainText('awake')
    await shell.input.press('Control+c')
    await expect(shell.output).toContainText('Ended by SIGINT.')
    await shell.run('sleep 600')
    await shell.stop.click()
    await expect(shell.stop).toBeHidden()
  })

  test('commands are stored in the history; clear and exit are handled by the panel @spec-2.37', async ({
    page,
    files,
  }) => {
    await files.openRoot()
    const shell = new ShellPanel(page)
    await shell.toggle()
    await shell.run('ls')
    await shell.run('pwd')
    await page.reload()
    await shell.commandField.click()
    await shell.commandField.press('ArrowUp')
    await shell.commandField.press('ArrowUp')
    await expect(shell.commandField).toHaveValue('ls')
    await shell.commandField.press('ArrowDown')
    await expect(shell.commandField).toHaveValue('pwd')
    await shell.run('nothing')
    await expect(shell.output).toContainText('Command not allowed.')
    await shell.run('clear')
    await expect(shell.output).toBeEmpty()
    await shell.run('exit')
    await expect(shell.panel).toBeHidden()
  })

  test('commands with very long output keep the last lines', async ({ page, files }) => {
    await files.openRoot()
    const shell = new ShellPanel(page)
    await shell.toggle()
    await shell.run(`sh -c 'i=0; while [ $i -lt 6000 ]; do i=$((i+1)); echo line $i; done'`)
    await expect(shell.output.getByText('line 6000', { exact: true })).toBeVisible()
    await expect(shell.output).toContainText('1,001 earlier lines were dropped.')
    await expect(shell.output).not.toContainText('line 1000')
  })

  test('commands report a lost connection', async ({ page, files, server }) => {
    await files.openRoot()
    const shell = new ShellPanel(page)
    await shell.toggle()
    await shell.run(`sh -c 'echo $((6 * 7)); sleep 600'`)
    await expect(shell.output).toContainText('42')
    server.kill('SIGKILL')
    await expect(shell.output).toContainText('The connection was closed before the end.')
  })
})

test.describe('the panel', () => {
  test('the panel is resized by keyboard and mouse, and keeps its height @spec-2.37 @spec-9.4', async ({
    page,
    files,
  }) => {
    await files.openRoot()
    const shell = new ShellPanel(page)
    await shell.toggle()
    await expect(shell.resizer).toHaveAttribute('aria-valuenow', '400')
    await shell.resizer.press('ArrowDown')
    await shell.resizer.press('PageDown')
    await expect(shell.resizer).toHaveAttribute('aria-valuenow', '304')
    await shell.resizer.press('Home')
    await expect(shell.resizer).toHaveAttribute('aria-valuenow', '36')
    await shell.resizer.press('End')
    await expect(files.status).toBeInViewport({ ratio: 1 })
    // The largest height is the one that the panel really has.
    const handlePx = 12
    await expect(async () => {
      const height = Math.round(((await shell.panel.boundingBox())?.height ?? 0) - handlePx)
      const values = { 'aria-valuenow': `${height}`, 'aria-valuemax': `${height}` }
      for (const [name, value] of Object.entries(values)) {
        await expect(shell.resizer).toHaveAttribute(name, value, { timeout: 500 })
      }
      expect(height).toBeGreaterThan(600)
    }).toPass()
    await shell.resizer.dblclick()
    await shell.resizer.hover({ position: { x: 300, y: 6 } })
    await page.mouse.down()
    await shell.resizer.hover({ position: { x: 300, y: 106 }, force: true })
    await page.mouse.up()
    await expect(shell.resizer).toHaveAttribute('aria-valuenow', '300')
    await page.reload()
    await expect(shell.resizer).toHaveAttribute('aria-valuenow', '300')
    expect((await shell.panel.boundingBox())?.height).toBe(312)
  })

  test('the panel is entered and left by keyboard alone', async ({ page, files, server }) => {
    await files.openRoot()
    writeFileSync(join(server.root, 'a.txt'), '')
    await files.shows('a.txt')
    const shell = new ShellPanel(page)
    await files.row('a.txt').click()
    await expect(files.action('Shell')).toHaveAttribute('aria-pressed', 'false')
    await shell.toggle()
    await expect(shell.commandField).toBeFocused()
    await expect(files.action('Shell')).toHaveAttribute('aria-pressed', 'true')
    await page.keyboard.type('ls')
    await page.keyboard.press('Enter')
    await expect(shell.output).toContainText('a.txt')
    await page.keyboard.press('Delete')
    await shell.toggle()
    await expect(shell.panel).toBeHidden()
    await files.shows('a.txt')
    await page.keyboard.press('Delete')
    await files.shows()
  })

  test('the panel is available only to users with the execute right @spec-2.37', async ({
    page,
    files,
    server,
    login,
    settings,
  }) => {
    await files.openRoot()
    await expect(files.action('Shell')).toBeVisible()
    await settings.create('ana', PASSWORD, server.password)
    await files.sidebar('Log out').click()
    await login.logIn('ana', PASSWORD)
    await expect(files.status).toBeVisible()
    await expect(files.action('Shell')).toBeHidden()
    await new ShellPanel(page).toggle()
    await expect(new ShellPanel(page).panel).toBeHidden()
  })
})

test.describe('the terminal', () => {
  test('the terminal runs a shell from the user’s list under the page’s Content-Security-Policy @spec-10.13', async ({
    page,
    files,
  }) => {
    await files.openRoot()
    const cspErrors: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') cspErrors.push(message.text())
    })
    await expect(files.status).toBeVisible()
    const shell = new ShellPanel(page)
    await shell.toggle()
    await shell.tab('Terminal').click()
    await expect(shell.keys).toBeFocused()
    await page.keyboard.type(`printf '\\033[38;2;255;90;0mtrue colour\\033[0m\\n'; echo $((6*7))\n`)
    await expect(shell.screen).toContainText('42')
    const colour = shell.screen.getByText('true colour', { exact: true })
    // An orange, which the terminal darkens until its contrast is sufficient.
    await expect(colour).toHaveCSS('color', /^rgb\([12]\d\d, \d+, 0\)$/)
    expect(cspErrors).toEqual([])
  })

  test('the terminal sends its size, also after the panel is resized @spec-10.13', async ({
    page,
    files,
  }) => {
    await files.openRoot()
    const shell = new ShellPanel(page)
    await shell.toggle()
    await shell.tab('Terminal').click()
    await expect(shell.keys).toBeFocused()
    // The height of a row depends on the fonts of the machine, so the shown rows are counted.
    const rows = await shell.rows.count()
    await page.keyboard.type('stty size\n')
    await expect(
      shell.rows.filter({ hasText: new RegExp(`^(?:# )?${rows} 1\\d\\d`) }),
    ).toBeVisible()
    await shell.resizer.press('PageDown')
    await expect.poll(() => shell.rows.count()).toBeLessThan(rows)
    const fewer = await shell.rows.count()
    await shell.tab('Terminal').click()
    await expect(shell.keys).toBeFocused()
    await page.keyboard.type('clear; stty size\n')
    await expect(
      shell.rows.filter({ hasText: new RegExp(`^(?:# )?${fewer} 1\\d\\d`) }),
    ).toBeVisible()
  })

  test('the terminal keeps running while the panel is closed, shows how it ended, and Enter starts it again', async ({
    page,
    files,
  }) => {
    await files.openRoot()
    const shell = new ShellPanel(page)
    await shell.toggle()
    await shell.tab('Terminal').click()
    await expect(shell.keys).toBeFocused()
    await page.keyboard.type('mark=still; echo ready\n')
    await expect(shell.screen).toContainText('ready')
    await shell.toggle()
    await expect(shell.panel).toBeHidden()
    await shell.toggle()
    await expect(shell.keys).toBeFocused()
    await page.keyboard.type('echo $mark here; exit 5\n')
    await expect(shell.screen).toContainText('still here')
    await expect(shell.panel).toContainText('Ended with code 5. Press Enter to start again.')
    await expect(shell.program).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(shell.program).toBeHidden()
    await expect(shell.keys).toBeFocused()
    await page.keyboard.type('echo again $mark.\n')
    await expect(shell.screen).toContainText('again .')
  })

  test('the terminal starts any program of the user’s list with arguments', async ({
    page,
    files,
    server,
  }) => {
    await files.openRoot()
    writeFileSync(join(server.root, 'a.txt'), 'what is in it\n')
    const shell = new ShellPanel(page)
    await shell.toggle()
    await shell.tab('Terminal').click()
    await expect(shell.keys).toBeFocused()
    await page.keyboard.type('exit\n')
    await shell.program.fill('cat a.txt')
    await shell.program.press('Enter')
    await expect(shell.screen).toContainText('what is in it')
    await shell.program.fill('rm a.txt')
    await shell.program.press('Enter')
    await expect(shell.panel).toContainText('Command not allowed.')
  })

  test('the terminal copies the selection and accepts pasted text', async ({
    page,
    files,
    context,
  }) => {
    await files.openRoot()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await expect(files.status).toBeVisible()
    const shell = new ShellPanel(page)
    await shell.toggle()
    await shell.tab('Terminal').click()
    await expect(shell.keys).toBeFocused()
    // The typed text has a quote in it, so that only the new prompt matches.
    await page.keyboard.type(`PS1=re'ady> '\n`)
    await expect(shell.screen).toContainText('ready>')
    await page.evaluate(() => navigator.clipboard.writeText('echo pasted-word'))
    await page.keyboard.press('Control+v')
    await expect(shell.screen).toContainText('echo pasted-word')
    await page.keyboard.press('Enter')
    const word = shell.screen.getByText('pasted-word', { exact: true })
    await expect(word).toBeVisible()
    // The terminal draws its rows again and again, so that they never stand still.
    await word.dblclick({ position: { x: 10, y: 8 }, force: true })
    await page.keyboard.press('Control+c')
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('pasted-word')
  })
})

test.describe('the settings', () => {
  test('the settings store the programs of a user', async ({ page, server, settings }) => {
    await settings.create('ana', PASSWORD, server.password)
    await settings.field('Programs').fill('  git   ls ')
    await settings.save.click()
    await settings.confirm(server.password)
    await expect(settings.toasts).toContainText('User saved')
    await page.reload()
    await expect(settings.field('Programs')).toHaveValue('git ls')
  })

  test('the settings store event commands', async ({ page, server, settings, admin }) => {
    await settings.open('global/commands')
    const after = settings.group('Events').getByLabel('After an upload')
    await after.fill(
      `sh -c 'echo "$USERNAME $TRIGGER" > ../noted.txt || echo "$USERNAME $TRIGGER" > noted.txt'`,
    )
    await settings.save.click()
    await expect(settings.toasts).toContainText('Settings saved')
    await page.reload()
    await expect(after).toHaveValue(/^sh -c 'echo/)
    await admin.call('POST', `${API.resources}/a.txt`, 'hello')
    const noted = join(server.root, 'noted.txt')
    const written = () => (existsSync(noted) ? readFileSync(noted, 'utf8') : '')
    await expect.poll(written).toContain('admin after_upload')
  })
})

test.describe('a server that runs no commands', () => {
  test.use({ programs: '' })

  test('a server that runs no commands shows no shell and no settings for it', async ({
    page,
    files,
    settings,
  }) => {
    await files.openRoot()
    await expect(files.action('Details')).toBeVisible()
    await expect(files.action('Shell')).toBeHidden()
    await settings.open('global')
    await expect(settings.group('Branding')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Command runner' })).toHaveCount(0)
  })
})

test.describe('without a command that is allowed', () => {
  test.use({ programs: '', serverArgs: ['--exec'] })

  test('an administrator gets a link to where commands are chosen', async ({ page, files }) => {
    await files.openRoot()
    const shell = new ShellPanel(page)
    await shell.toggle()
    await expect(shell.panel).toContainText('No commands are enabled for you.')
    await expect(shell.panel).not.toContainText('An administrator can')
    await shell.panel.getByRole('link', { name: 'Choose commands' }).click()
    await expect(page.getByLabel('Programs')).toBeVisible()
  })
})
