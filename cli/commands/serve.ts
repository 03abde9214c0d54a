/** filemgr serve [root]: opens everything, listens, prints the address, and waits to be told to stop. */
import type { Command } from 'commander'
import { openApp } from '#server/app.ts'
import { loadConfig } from '#server/config/load.ts'
import { ensureAdministrator } from '#server/core.ts'
import { serve } from '#server/server.ts'
import type { Io } from '../io.ts'
import { addOptions, type Flags, writtenFlags } from '../options.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export function serveCommand(program: Command, io: Io): void {
  const command = program
    .command('serve')
    .description('serve a folder')
    .argument('[root]', 'the folder to serve')
    .action((root: string | undefined, flags: Flags) => run(root, flags, io))
    .addHelpText('after', EXAMPLES)
  addOptions(command, (option) => option.owner === 'boot')
}

const EXAMPLES = `
Examples:
  filemgr serve ./data
  filemgr serve /srv/files --address 0.0.0.0 --port 8080
  filemgr serve /srv/files --base-url /files --database /var/lib/filemgr/filemgr.db`

async function run(root: string | undefined, flags: Flags, io: Io): Promise<void> {
  const written = writtenFlags(flags)
  if (root !== undefined) written.root = root
  const file = flags.config as string | undefined
  const config = loadConfig({ flags: written, env: io.env, file })
  for (const notice of config.notices) io.err(notice)
  const stopped = untilSignal()
  const app = await openApp(config, io.env)
  try {
    const listening = await serve(app)
    try {
      // Made only now: a password must not come to be when nobody will be shown it.
      const administrator = await ensureAdministrator(app)
      io.out(listening.url)
      if (administrator?.password) {
        const { username, password } = administrator
        const signIn = app.signIn.settings.method !== 'noauth'
        for (const line of signIn ? shownOnce(username, password) : noSignIn(username)) io.out(line)
      }
      if (app.readOnly) io.out(`${app.root} cannot be written: it is served for reading.`)
      if (app.shell.notice) io.err(app.shell.notice)
      await stopped
    } finally {
      await listening.stop()
    }
  } finally {
    app.close()
  }
}

function shownOnce(username: string, password: string): string[] {
  return [
    `Administrator ${username}, password: ${password}`,
    'This is shown once. Sign in and change it.',
  ]
}

/** A password that nobody needs is not shown. */
function noSignIn(username: string): string[] {
  return [
    `Nobody signs in: whoever reaches this server is ${username}, with every permission.`,
    `Before you turn sign-in on, set a password: filemgr users update ${username} --password NEW`,
  ]
}

/** A terminal's Ctrl-C arrives from the terminal and again from `npm start`: within this it is one. */
const SAME_SIGNAL_MS = 1000

/** Resolves at the first signal; somebody who asks again later has the process ended at once. */
function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    let stoppedMs: number | undefined
    const stop = () => {
      if (stoppedMs !== undefined && Date.now() - stoppedMs > SAME_SIGNAL_MS) process.exit(1)
      stoppedMs ??= Date.now()
      resolve()
    }
    for (const signal of SIGNALS) process.on(signal, stop)
  })
}
