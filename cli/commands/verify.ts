/** filemgr verify: the old server and this one are asked the same questions. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Core } from '#server/core.ts'
import { type OldInstallation, readOldInstallation } from '#server/takeover/old-installation.ts'
import { oldTokens, oldUsersOf } from '#server/takeover/old-token.ts'
import { Fault } from '#wire/fault.ts'
import { encodeSegment } from '#wire/paths.ts'
import { API } from '#wire/routes.ts'
import { TOKEN_HEADER } from '#wire/session.ts'
import { withCore } from '../core.ts'
import type { Io } from '../io.ts'
import { addOptions, type Flags } from '../options.ts'
import { ownUrl } from '../own-url.ts'
import { compare, type Sides } from '../verify/questions.ts'

/** Folders of one user that are compared, the upper ones first. */
const FOLDERS = 100

export function verifyCommand(program: Command, io: Io): void {
  const command = program
    .command('verify')
    .description('compare what users and shares show at the old server and at this one')
    .argument('<database>', 'a copy of filebrowser.db: with its key the old server is asked')
    .requiredOption('--against <address>', 'where File Browser still runs')
    .option('--url <address>', 'where this server runs (default: the configured address)')
    .option('--folders <number>', 'how many folders of each user are compared', String(FOLDERS))
    .action((database: string, flags: Flags) => run(database, flags, io))
    .addHelpText(
      'after',
      '\nExample:\n  cp filebrowser.db old.db\n  filemgr verify old.db --against http://127.0.0.1:8081',
    )
  addOptions(command, (option) => ['database', 'address', 'port', 'baseURL'].includes(option.key))
}

/** @throws Fault internal when something differs, unavailable when a server does not answer */
async function run(database: string, flags: Flags, io: Io): Promise<void> {
  const old = readOldInstallation([resolve(database)])
  const folders = Number(flags.folders)
  if (!Number.isSafeInteger(folders) || folders < 1) {
    throw new Fault('badRequest', '--folders wants a number of folders.')
  }
  await withCore(io, flags, async (core) => {
    const urls = {
      old: trimmed(String(flags.against)),
      own: trimmed(typeof flags.url === 'string' ? flags.url : ownUrl(core.config)),
    }
    const users = await compareUsers(core, old, urls, folders)
    const shares = await compareShares(core, urls)
    const differences = [...users.differences, ...shares.differences]
    for (const difference of differences) io.out(difference)
    io.err(
      `Compared ${users.users} users in ${users.folders} folders, and ${shares.shares} shares.`,
    )
    if (differences.length === 0) io.out('No differences.')
    else throw new Fault('internal', `${differences.length} differences.`)
  })
}

async function compareUsers(
  core: Core,
  old: OldInstallation,
  urls: { old: string; own: string },
  most: number,
): Promise<{ differences: string[]; users: number; folders: number }> {
  const differences: string[] = []
  const tokenOf = oldTokens(old)
  const known = oldUsersOf(old)
  let folders = 0
  for (const user of known) {
    const own = core.users.findByName(user.username)
    if (!own) {
      differences.push(`user ${user.username} is missing here.`)
      continue
    }
    const token = await core.sessions.open(own, { address: '', agent: 'filemgr verify' })
    const headers = { [TOKEN_HEADER]: token }
    const sides = {
      old: {
        url: urls.old,
        headers: { [TOKEN_HEADER]: tokenOf(user, Math.floor(Date.now() / 1000)) },
      },
      own: { url: urls.own, headers },
    }
    try {
      const seen = await compareTree(sides, `user ${user.username}`, API.resources, most)
      differences.push(...seen.differences)
      folders += seen.folders
    } finally {
      await fetch(urls.own + API.logout, { method: 'POST', headers }).catch(() => undefined)
    }
  }
  return { differences, users: known.length, folders }
}

async function compareShares(
  core: Core,
  urls: { old: string; own: string },
): Promise<{ differences: string[]; shares: number }> {
  const shares = core.shares.listAll()
  const differences: string[] = []
  for (const { hash, token } of shares) {
    const query = token === '' ? '' : `?token=${encodeURIComponent(token)}`
    const [old, own] = [urls.old, urls.own].map((url) => ({ url, headers: {} }))
    if (!old || !own) continue
    const address = `${API.publicShare}/${hash}${query}`
    const compared = await compare({ old, own }, address, `share ${hash}`)
    differences.push(...compared.differences)
  }
  return { differences, shares: shares.length }
}

/** Folders from the top down, each level after the one above it. */
async function compareTree(
  sides: Sides,
  who: string,
  prefix: string,
  most: number,
): Promise<{ differences: string[]; folders: number }> {
  const differences: string[] = []
  const waiting = ['/']
  let folders = 0
  for (let path = waiting.shift(); path !== undefined && folders < most; path = waiting.shift()) {
    folders += 1
    const address = prefix + path.split('/').map(encodeSegment).join('/')
    const compared = await compare(sides, address, `${who}, ${path}`)
    differences.push(...compared.differences)
    waiting.push(...compared.folders.map((name) => `${path}${name}/`))
  }
  return { differences, folders }
}

function trimmed(url: string): string {
  return url.replace(/\/+$/, '')
}
