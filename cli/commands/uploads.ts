/** filemgr uploads: lists and ends unfinished uploads. */
import { lstatSync, rmSync } from 'node:fs'
import type { Command } from 'commander'
import { stagedFileOf } from '#server/tree.ts'
import { Fault } from '#wire/fault.ts'
import { joinPath, parsePath } from '#wire/paths.ts'
import { recordChange } from '../audit.ts'
import { withExistingCore } from '../core.ts'
import type { Io } from '../io.ts'
import { addOptions, type Flags, isLocationOption } from '../options.ts'
import { printTable } from '../table.ts'

export function uploadsCommand(program: Command, io: Io): void {
  const uploads = program.command('uploads').description('list and end unfinished uploads')
  listUploads(uploads, io)
  endUploads(uploads, io)
}

function listUploads(uploads: Command, io: Io): void {
  const list = uploads
    .command('ls')
    .description('list the unfinished uploads of all users, the largest first')
    .option('--json', 'print JSON')
    .action((flags: Flags) =>
      withExistingCore(io, flags, async ({ rows }) => {
        const listed = (await rows.uploads.listAllUnfinished()).map((upload) => ({
          id: upload.id,
          username: upload.username,
          path: joinPath(parsePath(upload.scope), upload.path),
          size: upload.sizeBytes,
          received: lstatSync(stagedFileOf(upload), { throwIfNoEntry: false })?.size ?? 0,
          touched: new Date(upload.touchedMs).toISOString(),
          root: upload.root,
        }))
        const cells = listed.map((one) => [
          one.id,
          one.username,
          `${one.received}/${one.size}`,
          one.touched,
          one.path,
        ])
        const head = ['UPLOAD', 'USER', 'BYTES', 'LAST REQUEST', 'PATH']
        printTable(io, head, cells, flags.json === true, listed)
      }),
    )
    .addHelpText('after', '\nExample:\n  filemgr uploads ls')
  addOptions(list, isLocationOption, io)
}

function endUploads(uploads: Command, io: Io): void {
  const end = uploads
    .command('end')
    .description('end an unfinished upload, or with --user all of a user, and remove the bytes')
    .argument('[upload...]', 'as listed by `uploads ls`')
    .option('-u, --user <id|username>', 'end every unfinished upload of this user')
    .action((ids: string[], flags: Flags) =>
      withExistingCore(io, flags, async (core) => {
        const { uploads } = core.rows
        if ((typeof flags.user === 'string') === ids.length > 0) {
          throw new Fault('badRequest', 'Name uploads, or a user with --user.')
        }
        const user =
          typeof flags.user === 'string' ? await core.users.getByNameOrId(flags.user) : undefined
        const unfinished = await uploads.listAllUnfinished()
        const missing = ids.find((id) => !unfinished.some((upload) => upload.id === id))
        if (missing) throw new Fault('notFound', `There is no unfinished upload ${missing}.`)
        for (const upload of unfinished) {
          if (user ? upload.userId !== user.id : !ids.includes(upload.id)) continue
          await uploads.remove(upload.id)
          rmSync(stagedFileOf(upload), { force: true })
          await recordChange(core, 'endUpload', { users: [upload.username] })
          io.out(`Ended upload ${upload.id} of ${upload.username}.`)
        }
      }),
    )
    .addHelpText('after', '\nExample:\n  filemgr uploads end --user anna')
  addOptions(end, isLocationOption, io)
}
