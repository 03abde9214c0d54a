/** filemgr verify: compares the responses of the old server with those of this one. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Core } from '#server/core.ts'
import { readShares } from '#server/shares/import-export.ts'
import { type OldInstallation, readOldInstallation } from '#server/takeover/old-installation.ts'
import { createTokenIssuer, oldUsersOf } from '#server/takeover/old-token.ts'
import { API } from '#wire/api/routes.ts'
import { TOKEN_HEADER } from '#wire/api/session.ts'
import { Fault } from '#wire/fault.ts'
import { encodeSegment, toUrlPath } from '#wire/paths.ts'
import { endSession, withExistingCore } from '../core.ts'
import type { Io } from '../io.ts'
import { addOptions, type Flags, isLocationOption } from '../options.ts'
import { ownUrl } from '../own-url.ts'
import { type ComparedServers, compareDownloads, compareResponses } from '../verify/comparison.ts'

/** The default of `--folders`: how many folders of each user are compared, starting at the top. */
const FOLDERS_DEFAULT = 100

export function verifyCommand(program: Command, io: Io): void {
  const command = program
    .command('verify')
    .description('check that users and shares see the same files here as at the old server')
    .argument(
      '<database>',
      'a copy of filebrowser.db; its key signs the requests to the old server',
    )
    .requiredOption('--against <url>', 'the URL of the running File Browser')
    .option('--url <url>', 'the URL of this server (default: the configured address)')
    .option(
      '--folders <number>',
      'how many folders of each user are compared',
      String(FOLDERS_DEFAULT),
    )
    .action((database: string, flags: Flags) => run(database, flags, io))
    .addHelpText(
      'after',
      '\nExample:\n  cp filebrowser.db old.db\n  filemgr verify old.db --against http://127.0.0.1:8080 --url http://127.0.0.1:8082',
    )
  addOptions(
    command,
    (option) => ['address', 'port', 'baseURL'].includes(option.key) || isLocationOption(option),
    io,
  )
}

/** @throws Fault badRequest (`--folders`), internal (something differs), unavailable (a server does not respond) */
async function run(database: string, flags: Flags, io: Io): Promise<void> {
  const old = readOldInstallation([resolve(database)])
  const folders = Number(flags.folders)
  if (!Number.isSafeInteger(folders) || folders < 1) {
    throw new Fault('badRequest', '--folders must be a positive whole number.')
  }
  await withExistingCore(io, flags, async (core) => {
    const urls = {
      old: withoutTrailingSlash(String(flags.against)),
      current: withoutTrailingSlash(
        typeof flags.url === 'string' ? flags.url : ownUrl(core.config),
      ),
    }
    const users = await compareUsers(core, old, urls, folders)
    const shares = await compareShares(core, old, urls)
    const differences = [...users.differences, ...shares.differences]
    for (const difference of differences) io.out(difference)
    for (const name of users.cutUsers) {
      io.err(
        `Only the first ${folders} folders of user ${name} were compared; --folders sets a higher limit.`,
      )
    }
    io.err(
      `Compared ${users.users} users in ${users.folders} folders, and ${shares.shares} shares.`,
    )
    if (differences.length === 0) io.out('There are no differences.')
    else
      throw new Fault(
        'internal',
        differences.length === 1
          ? 'There is 1 difference.'
          : `There are ${differences.length} differences.`,
      )
  })
}

async function compareUsers(
  core: Core,
  old: OldInstallation,
  urls: { old: string; current: string },
  foldersMax: number,
): Promise<{ differences: string[]; users: number; folders: number; cutUsers: string[] }> {
  const differences: string[] = []
  // Users of whom only the first folders were compared.
  const cutUsers: string[] = []
  const tokenOf = createTokenIssuer(old)
  let [users, folders] = [0, 0]
  for (const user of oldUsersOf(old)) {
    const currentUser = await core.users.findByName(user.username)
    if (!currentUser) {
      differences.push(`User ${user.username} is missing here.`)
      continue
    }
    const token = await core.sessions.open(currentUser, { address: '', agent: 'filemgr verify' })
    const headers = { [TOKEN_HEADER]: token }
    const sides = {
      old: {
        url: urls.old,
        headers: { [TOKEN_HEADER]: tokenOf(user, Math.floor(Date.now() / 1000)) },
      },
      current: { url: urls.current, headers },
    }
    try {
      const compared = await compareTree(sides, `User ${user.username}`, API.resources, foldersMax)
      differences.push(...compared.differences)
      users += 1
      folders += compared.folders
      if (compared.isCut) cutUsers.push(user.username)
    } finally {
      await endSession(core, token)
    }
  }
  return { differences, users, folders, cutUsers }
}

/** Compares all shares of the old server, with the links to them, and reports those that exist only here. */
async function compareShares(
  core: Core,
  old: OldInstallation,
  urls: { old: string; current: string },
): Promise<{ differences: string[]; shares: number }> {
  const ids = new Set(oldUsersOf(old).map(({ id }) => id))
  const oldShares = readShares(old.shares ?? [], ids, Math.floor(Date.now() / 1000)).shares
  const currentShares = new Map((await core.shares.listAll()).map((share) => [share.hash, share]))
  const sides = { old: { url: urls.old, headers: {} }, current: { url: urls.current, headers: {} } }
  const differences: string[] = []
  let shares = 0
  for (const { hash } of oldShares) {
    const share = currentShares.get(hash)
    if (!share) {
      differences.push(`Share ${hash} is missing here.`)
      continue
    }
    const query = share.token === '' ? '' : `?token=${encodeURIComponent(share.token)}`
    const page = `${API.publicShare}/${hash}`
    const compared = await compareResponses(sides, page + query, `Share ${hash}`)
    differences.push(...compared.differences)
    if (compared.isFile) {
      // The links of File Browser 2.24.0 to 2.34.1 have the whole path of the file.
      const below = toUrlPath(share.path) + query
      const pageLabel = `Share ${hash}, its link with the path of the file`
      const { differences: ofPage } = await compareResponses(sides, page + below, pageLabel)
      const download = `${API.publicDownload}/${hash}${below}`
      const label = `Share ${hash}, its link for downloads`
      differences.push(...ofPage, ...(await compareDownloads(sides, download, label)))
    }
    shares += 1
  }
  const oldHashes = new Set(oldShares.map(({ hash }) => hash))
  for (const hash of currentShares.keys()) {
    if (!oldHashes.has(hash)) differences.push(`Share ${hash} is only here.`)
  }
  return { differences, shares }
}

/** Compares folders level by level, starting at the top. `isCut`: only the first `foldersMax` folders were compared. */
async function compareTree(
  sides: ComparedServers,
  label: string,
  prefix: string,
  foldersMax: number,
): Promise<{ differences: string[]; folders: number; isCut: boolean }> {
  const differences: string[] = []
  const waiting = ['/']
  let folders = 0
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (folders === foldersMax) return { differences, folders, isCut: true }
    folders += 1
    const address = prefix + path.split('/').map(encodeSegment).join('/')
    const compared = await compareResponses(sides, address, `${label}, ${path}`)
    differences.push(...compared.differences)
    waiting.push(...compared.folders.map((name) => `${path}${name}/`))
  }
  return { differences, folders, isCut: false }
}

function withoutTrailingSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
