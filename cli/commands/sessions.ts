/** filemgr sessions: lists and ends sessions. */
import type { Command } from 'commander'
import { Fault } from '#wire/fault.ts'
import { recordChange } from '../audit.ts'
import { withExistingCore } from '../core.ts'
import type { Io } from '../io.ts'
import { addOptions, type Flags, isLocationOption } from '../options.ts'
import { printTable } from '../table.ts'

export function sessionsCommand(program: Command, io: Io): void {
  const sessions = program.command('sessions').description('list and end sessions')
  listSessions(sessions, io)
  endSessions(sessions, io)
}

function listSessions(sessions: Command, io: Io): void {
  const list = sessions
    .command('ls')
    .description('list all active sessions')
    .option('--json', 'print JSON')
    .action((flags: Flags) =>
      withExistingCore(io, flags, async (core) => {
        const names = new Map((await core.users.list()).map(({ id, username }) => [id, username]))
        const rows = (await core.sessions.list()).map((session) => ({
          id: session.id,
          username: names.get(session.userId) ?? '',
          address: session.address,
          agent: session.agent,
          seen: new Date(session.seenMs).toISOString(),
          expires: new Date(session.expiresMs).toISOString(),
        }))
        const cells = rows.map((row) => [row.id, row.username, row.address, row.seen, row.agent])
        const head = ['SESSION', 'USER', 'ADDRESS', 'SEEN', 'AGENT']
        printTable(io, head, cells, flags.json === true, rows)
      }),
    )
    .addHelpText('after', '\nExample:\n  filemgr sessions ls')
  addOptions(list, isLocationOption, io)
}

function endSessions(sessions: Command, io: Io): void {
  const end = sessions
    .command('end')
    .description('end a session, or with --user all sessions of a user')
    .argument('[session]', 'as listed by `sessions ls`')
    .option('-u, --user <id|username>', 'end every session of this user')
    .action((id: string | undefined, flags: Flags) =>
      withExistingCore(io, flags, async (core) => {
        const nameOrId = flags.user
        if (typeof nameOrId === 'string' && id === undefined) {
          const user = await core.users.getByNameOrId(nameOrId)
          await core.sessions.endAll(user.id)
          await recordChange(core, 'endSession', { users: [user.username] })
          io.out(`Ended all sessions of ${user.username}.`)
          return
        }
        if (id === undefined || nameOrId !== undefined) {
          throw new Fault('badRequest', 'Name a session, or a user with --user.')
        }
        const session = await core.sessions.find(id)
        if (!session) throw new Fault('notFound', `There is no session ${id}.`)
        await core.sessions.end(id)
        const user = await core.users.find(session.userId)
        await recordChange(core, 'endSession', { users: [user?.username ?? ''] })
        io.out(`Ended session ${id}.`)
      }),
    )
    .addHelpText('after', '\nExample:\n  filemgr sessions end --user anna')
  addOptions(end, isLocationOption, io)
}
