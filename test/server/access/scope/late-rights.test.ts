/**
 * Rights, rules and the home folder are checked again right before a change, because a command before it may run long,
 * and its bytes may take days to arrive.
 */
import { beforeEach, describe, expect, test } from 'bun:test'
import type { Actor } from '#server/access/actor.ts'
import { Scope } from '#server/access/scope/scope.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { MemoryStorage } from '../../../support/storage/memory-storage.ts'
import { NO_SHARES } from '../../../support/storage/path-listener.ts'
import { code } from '../../../support/storage/served.ts'

const at = parsePath
const bytes = new TextEncoder().encode('late')

const before: Actor = {
  id: 1,
  username: 'anna',
  perm: permissionsOf('create', 'rename', 'modify', 'delete', 'download'),
  scope: ROOT,
  rulesFrom: [ROOT],
  rules: [],
  hideDotfiles: false,
}
const deny = (path: string) => ({ regex: false, allow: false, path, regexp: null })
/** What may happen to a user during a request, and the fault of the response. */
const changes: Record<string, [present: () => Actor, fault: string]> = {
  'rights were removed': [() => ({ ...before, perm: permissionsOf('download') }), 'forbidden'],
  'a rule was added': [() => ({ ...before, rules: [deny('/box')] }), 'forbidden'],
  'the home folder changed': [() => ({ ...before, scope: at('/elsewhere') }), 'forbidden'],
  'the session ended': [
    () => {
      throw new Fault('unauthenticated', 'gone')
    },
    'unauthenticated',
  ],
}

let storage: MemoryStorage
let late: () => Actor
beforeEach(async () => {
  storage = new MemoryStorage()
  await storage.mkdir(at('/box'))
  for (const path of ['/box/file', '/box/other']) {
    await storage.write(at(path), new Uint8Array(1), { overwrite: false })
  }
})

/** The scope of a user whose data is that of `late` as soon as `happened` returns true. */
function scope(happened: () => boolean, hooks = async (): Promise<void> => undefined): Scope {
  return new Scope(storage, before, NO_SHARES, hooks, async () => (happened() ? late() : before))
}
const tree = async () =>
  [...(await storage.list(at('/box')))].map(({ path, sizeBytes }) => [path, sizeBytes])

const operations: Record<string, (of: Scope) => Promise<unknown>> = {
  write: (of) => of.write(at('/box/new'), bytes, { overwrite: false }),
  'write over a file': (of) => of.write(at('/box/file'), bytes, { overwrite: true }),
  save: (of) => of.save(at('/box/file'), bytes, () => true),
  mkdir: (of) => of.mkdir(at('/box/folder')),
  remove: (of) => of.remove(at('/box/file')),
  move: (of) => of.move(at('/box/file'), at('/box/moved'), { overwrite: false }),
  copy: (of) => of.copy(at('/box/file'), at('/box/copied'), { overwrite: false }),
}

describe.each(Object.entries(changes))('%s while a command ran before', (_, [present, fault]) => {
  test.each(Object.entries(operations))(
    'the operation %s is refused after its command has run, and changes nothing',
    async (_operation, act) => {
      const whole = await tree()
      let ran = false
      late = present
      const hooks = async () => {
        ran = true
      }
      expect(await code(act(scope(() => ran, hooks)))).toBe(fault)
      expect(await tree()).toEqual(whole)
    },
  )
})

describe.each(Object.entries(changes))('%s while bytes arrived', (_, [present, fault]) => {
  const acts: Record<string, (of: Scope, body: ReadableStream<Uint8Array>) => Promise<unknown>> = {
    write: (of, body) => of.write(at('/box/new'), body, { overwrite: false }),
    save: (of, body) => of.save(at('/box/file'), body, () => true),
  }
  test.each(Object.entries(acts))(
    'the operation %s is refused after its bytes have arrived, and changes nothing',
    async (_operation, act) => {
      const whole = await tree()
      let arrived = false
      late = present
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          arrived = true
          controller.enqueue(bytes)
          controller.close()
        },
      })
      expect(
        await code(
          act(
            scope(() => arrived),
            body,
          ),
        ),
      ).toBe(fault)
      expect(await tree()).toEqual(whole)
    },
  )
})

test('the right to move or copy is checked again before the destination folder is created', async () => {
  late = () => ({ ...before, perm: permissionsOf('download') })
  for (const operation of ['move', 'copy'] as const) {
    let ran = false
    const hooks = async () => {
      ran = true
    }
    const of = scope(() => ran, hooks)
    const to = at(`/made by ${operation}/file`)
    expect(await code(of[operation](at('/box/file'), to, { overwrite: false }))).toBe('forbidden')
  }
  expect([...(await storage.list(ROOT))].map(({ path }) => String(path))).toEqual(['/box'])
})
