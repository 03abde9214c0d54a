/**
 * Other programs and requests change names while a change of the same names is recorded. The change is then refused, or
 * decided and recorded again; nothing is lost, and the journal has only steps that happened.
 */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import type { Actor } from '#server/access/actor.ts'
import type { Recorder } from '#server/access/recorder.ts'
import { Scope } from '#server/access/scope/scope.ts'
import type { Step } from '#server/storage/step.ts'
import { parsePath, ROOT } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { actingAfter, JournaledTree } from '../../support/storage/journaled-tree.ts'
import { NO_SHARES } from '../../support/storage/path-listener.ts'
import { code } from '../../support/storage/served.ts'

const at = parsePath
const FREE = { overwrite: false }
const OVER = { overwrite: true }

let opened: JournaledTree
beforeEach(async () => {
  opened = await JournaledTree.open('from', 'to', 'outside')
  writeFileSync(disk('from/file'), 'ours')
})
afterEach(() => opened.close())

const disk = (name: string) => opened.disk(name)
const text = (name: string) => readFileSync(disk(name), 'utf8')
const admin = () => opened.administrator()
const entries = () => opened.tree.journal.list(admin().actor, {}, 100)
/** The steps of all entries, the newest entry first. */
const steps = async () => {
  const all = await Promise.all((await entries()).map(({ id }) => opened.rows.journal.stepsOf(id)))
  return all
    .flat()
    .map(({ step: { kind, path, to } }) => [kind, path, to].filter(Boolean).join(' '))
}
const trashed = () => opened.trashed().map((name) => text(`.filemgr/trash/${name}`))
const inTrash = () =>
  opened.rows.trash.listTrash(opened.tree.journal.root, ROOT, Number.MAX_SAFE_INTEGER, 10)
const versionSizes = async (path: string) =>
  (await opened.rows.trash.listVersions(opened.tree.journal.root, at(path))).map(
    ({ sizeBytes }) => sizeBytes,
  )
/** Replaces a file by another one. */
const replace = (name: string, content = 'theirs') => {
  writeFileSync(disk('outside/new'), content)
  renameSync(disk('outside/new'), disk(name))
}

/** Calls `act` while the first step of `work` is recorded. @returns the code of the fault */
function during(act: () => void, work: (scope: Scope) => Promise<unknown>): Promise<unknown> {
  const recorder = actingAfter(opened.tree.journal, 1, act)
  return code(work(opened.administrator({ recorder })))
}

/** Calls `act` after each record. */
function afterEachRecord(act: () => void): Recorder {
  const { journal } = opened.tree
  return {
    keeps: async () => true,
    makeRoom: async () => false,
    describeFull: async (fault) => fault,
    open: (...change) => {
      const open = journal.open(...change)
      const record = async (recorded: Step[]) => {
        await open.record(recorded)
        act()
      }
      return new Proxy(open, {
        get: (target, name) => (name === 'record' ? record : bound(target, name)),
      })
    },
  }
}

function bound<T extends object>(target: T, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name)
  return typeof value === 'function' ? value.bind(target) : value
}

describe('a new folder that is being recorded', () => {
  const make = (scope: Scope) => scope.mkdir(at('/to/made'))

  test('a file that takes its name is kept', async () => {
    expect(await during(() => replace('to/made'), make)).toBe('notDirectory')
    expect(text('to/made')).toBe('theirs')
    expect(await steps()).toEqual([])
  })

  test('a folder that takes its name is not said to be made', async () => {
    expect(await during(() => mkdirSync(disk('to/made')), make)).toBe('no fault')
    expect(await steps()).toEqual([])
  })

  test('a link that replaces the folder above gets nothing into its target', async () => {
    const swap = () => void opened.replaceByLink('to', 'outside')
    expect(await during(swap, make)).toBe('notFound')
    expect([readdirSync(disk('outside')), readdirSync(disk('to-aside'))]).toEqual([[], []])
    expect(await steps()).toEqual([])
  })
})

describe('a rename that is being recorded', () => {
  const rename = (scope: Scope) => scope.move(at('/from/file'), at('/to/name'), FREE)
  const over = (scope: Scope) => scope.move(at('/from/file'), at('/to/name'), OVER)

  test('a file that replaces the source is moved, and the entry is about this one', async () => {
    expect(await during(() => replace('from/file'), rename)).toBe('no fault')
    expect(text('to/name')).toBe('theirs')
    expect(await steps()).toEqual(['renamed /from/file /to/name'])
    await opened.tree.undo.undo(admin(), (await entries())[0]?.id ?? 0)
    expect(text('from/file')).toBe('theirs')
  })

  test('a source that disappears is not found', async () => {
    expect(await during(() => rmSync(disk('from/file')), rename)).toBe('notFound')
    expect(await steps()).toEqual([])
  })

  test('a file that takes the new name is kept', async () => {
    expect(await during(() => replace('to/name'), rename)).toBe('conflict')
    expect([text('from/file'), text('to/name')]).toEqual(['ours', 'theirs'])
    expect(await steps()).toEqual([])
  })

  test.each(['from', 'to'])('a link that replaces the folder %s changes nothing', async (name) => {
    writeFileSync(disk('outside/file'), 'outside')
    const swap = () => void opened.replaceByLink(name, 'outside')
    expect(await during(swap, rename)).toBe('notFound')
    expect(readdirSync(disk('outside'))).toEqual(['file'])
    expect(text(name === 'from' ? 'from-aside/file' : 'from/file')).toBe('ours')
    expect(await steps()).toEqual([])
  })

  test('the file that has the new name at the moment of the rename is kept as a version', async () => {
    writeFileSync(disk('to/name'), 'old')
    expect(await during(() => replace('to/name'), over)).toBe('no fault')
    expect([text('to/name'), trashed()]).toEqual(['ours', ['theirs']])
    expect(await steps()).toEqual(['removed /to/name', 'renamed /from/file /to/name'])
    expect(await versionSizes('/to/name')).toEqual(['theirs'.length])
  })

  test('a folder that takes the new name is not replaced by a file', async () => {
    writeFileSync(disk('to/name'), 'old')
    const swap = () => {
      rmSync(disk('to/name'))
      mkdirSync(disk('to/name'))
    }
    expect(await during(swap, over)).toBe('isDirectory')
    expect(text('from/file')).toBe('ours')
    expect(await steps()).toEqual([])
  })

  test('a folder that takes the new name of a folder is merged', async () => {
    const swap = () => {
      mkdirSync(disk('to/name'))
      writeFileSync(disk('to/name/own'), 'own')
    }
    const merge = (scope: Scope) => scope.move(at('/from'), at('/to/name'), OVER)
    expect(await during(swap, merge)).toBe('no fault')
    expect(opened.contentsOf('to/name')).toEqual({ file: 'ours', own: 'own' })
    expect(existsSync(disk('from'))).toBe(false)
    expect(await steps()).toEqual(['renamed /from/file /to/name/file', 'removed /from'])
  })

  test('a file that is being written all the time is moved', async () => {
    const recorder = afterEachRecord(() => appendFileSync(disk('from/file'), '+'))
    expect(await code(rename(opened.administrator({ recorder })))).toBe('no fault')
    expect(text('to/name')).toMatch(/^ours\++$/)
    await opened.tree.undo.undo(admin(), (await entries())[0]?.id ?? 0)
    expect(text('from/file')).toMatch(/^ours/)
  })

  test('a name that other programs replace all the time is refused', async () => {
    const recorder = afterEachRecord(() => replace('from/file'))
    expect(await code(rename(opened.administrator({ recorder })))).toBe('locked')
    expect(text('from/file')).toBe('theirs')
    expect(await steps()).toEqual([])
  })
})

describe('a deletion that is being recorded', () => {
  const remove = (scope: Scope) => scope.remove(at('/from/file'))

  test('the file that has the name at the moment of the deletion goes to the trash', async () => {
    expect(await during(() => replace('from/file'), remove)).toBe('no fault')
    expect(trashed()).toEqual(['theirs'])
    expect(await steps()).toEqual(['removed /from/file'])
    expect((await inTrash()).map(({ sizeBytes }) => sizeBytes)).toEqual(['theirs'.length])
    await opened.tree.undo.undo(admin(), (await entries())[0]?.id ?? 0)
    expect(text('from/file')).toBe('theirs')
  })

  test('a file that disappears is not found, and is not said to be deleted', async () => {
    const away = () => renameSync(disk('from/file'), disk('to/moved'))
    expect(await during(away, remove)).toBe('notFound')
    expect(text('to/moved')).toBe('ours')
    expect([await steps(), opened.trashed()]).toEqual([[], []])
    expect(await inTrash()).toEqual([])
  })

  test('a link that replaces the folder loses nothing in its target', async () => {
    writeFileSync(disk('outside/file'), 'outside')
    const swap = () => void opened.replaceByLink('from', 'outside')
    expect(await during(swap, remove)).toBe('notFound')
    expect([text('outside/file'), text('from-aside/file')]).toEqual(['outside', 'ours'])
    expect(await steps()).toEqual([])
  })

  test('a file that is being written all the time is deleted', async () => {
    const recorder = afterEachRecord(() => appendFileSync(disk('from/file'), '+'))
    expect(await code(remove(opened.administrator({ recorder })))).toBe('no fault')
    expect(existsSync(disk('from/file'))).toBe(false)
    await opened.tree.undo.undo(admin(), (await entries())[0]?.id ?? 0)
    expect(text('from/file')).toMatch(/^ours/)
  })
})

describe('a copy that is being recorded', () => {
  const copy = (scope: Scope) => scope.copy(at('/from/file'), at('/to/name'), FREE)

  test('a file that takes its name is kept', async () => {
    expect(await during(() => replace('to/name'), copy)).toBe('conflict')
    expect(text('to/name')).toBe('theirs')
    expect(await steps()).toEqual([])
  })

  test('the file that it replaces is the one that has the name then', async () => {
    writeFileSync(disk('to/name'), 'old')
    const over = (scope: Scope) => scope.copy(at('/from/file'), at('/to/name'), OVER)
    expect(await during(() => replace('to/name'), over)).toBe('no fault')
    expect([text('to/name'), trashed()]).toEqual(['ours', ['theirs']])
    expect(await steps()).toEqual(['replaced /to/name'])
  })

  test('a link that replaces the folder gets nothing into its target', async () => {
    const swap = () => void opened.replaceByLink('to', 'outside')
    expect(await during(swap, copy)).toBe('notFound')
    expect([readdirSync(disk('outside')), readdirSync(disk('to-aside'))]).toEqual([[], []])
    expect(await steps()).toEqual([])
  })
})

describe('a restore that is being recorded', () => {
  /** Deletes the file. @returns how it is restored */
  async function deleted(): Promise<(scope: Scope) => Promise<unknown>> {
    await admin().remove(at('/from/file'))
    const [stored] = await inTrash()
    return (scope) =>
      opened.tree.userTrash.restore(scope, stored?.id ?? 0, at('/from/file'), { parents: false })
  }

  test('a file that takes its name is kept, and the content stays in the trash', async () => {
    const restore = await deleted()
    expect(await during(() => replace('from/file'), restore)).toBe('conflict')
    expect([text('from/file'), trashed()]).toEqual(['theirs', ['ours']])
    expect(await steps()).toEqual(['removed /from/file'])
  })

  test('content that is deleted permanently is not found', async () => {
    const restore = await deleted()
    const purge = () => {
      for (const name of opened.trashed()) rmSync(disk(`.filemgr/trash/${name}`))
    }
    expect(await during(purge, restore)).toBe('notFound')
    expect(existsSync(disk('from/file'))).toBe(false)
    expect(await steps()).toEqual(['removed /from/file'])
  })
})

describe('an undo that is being recorded', () => {
  const undo = async (scope: Scope) => opened.tree.undo.undo(scope, (await entries())[0]?.id ?? 0)

  test('a new folder that gets content stays', async () => {
    await admin().mkdir(at('/to/made'))
    const fill = () => writeFileSync(disk('to/made/theirs'), 'theirs')
    await during(fill, undo)
    expect([text('to/made/theirs'), trashed()]).toEqual(['theirs', []])
  })

  test('a file that replaces a renamed one stays', async () => {
    await admin().move(at('/from/file'), at('/to/name'), FREE)
    expect(await during(() => replace('to/name'), undo)).toBe('precondition')
    expect(text('to/name')).toBe('theirs')
    expect(existsSync(disk('from/file'))).toBe(false)
  })

  test('a file that takes the name of a deleted one stays', async () => {
    await admin().remove(at('/from/file'))
    expect(await during(() => replace('from/file'), undo)).toBe('conflict')
    expect([text('from/file'), trashed()]).toEqual(['theirs', ['ours']])
  })
})

describe('a merge that is being recorded', () => {
  test('an entry that becomes a folder is kept', async () => {
    let records = 0
    const recorder = afterEachRecord(() => {
      records += 1
      if (records === 1) return replace('to/file')
      rmSync(disk('to/file'))
      mkdirSync(disk('to/file'))
    })
    const copy = opened.administrator({ recorder }).copy(at('/from'), at('/to'), OVER)
    expect(await code(copy)).toBe('conflict')
    expect([readdirSync(disk('to/file')), text('from/file')]).toEqual([[], 'ours'])
    expect(await steps()).toEqual([])
  })
})

describe('rights that end while a change is recorded', () => {
  const actor: Actor = {
    id: 1,
    username: 'anna',
    perm: permissionsOf('create', 'rename', 'modify', 'delete', 'download'),
    scope: ROOT,
    rulesFrom: [ROOT],
    rules: [],
    hideDotfiles: false,
  }

  /** Removes the rights of the user when the first step is recorded. @returns the code of the fault */
  async function run(
    work: (scope: Scope) => Promise<unknown>,
    ended: Actor = { ...actor, perm: permissionsOf('download') },
  ): Promise<unknown> {
    let present = actor
    const { journal, storage } = opened.tree
    const recorder = afterEachRecord(() => {
      present = ended
    })
    const origin = { session: '', client: 'api' } as const
    const hooks = async () => undefined
    const scope = new Scope(storage, actor, NO_SHARES, hooks, async () => present, {
      recorder,
      origin,
    })
    const before = [snapshot(), (await journal.list(actor, {}, 100)).length]
    const result = await code(work(scope))
    expect([snapshot(), (await journal.list(actor, {}, 100)).length]).toEqual(before)
    return result
  }
  const snapshot = () => [...['from', 'to'].map((name) => opened.contentsOf(name)), trashed()]

  const CHANGES: Record<string, (scope: Scope) => Promise<unknown>> = {
    'a new folder': (scope) => scope.mkdir(at('/to/made')),
    'a deletion': (scope) => scope.remove(at('/from/file')),
    'a move': (scope) => scope.move(at('/from/file'), at('/to/name'), FREE),
    'a move into a new folder': (scope) => scope.move(at('/from/file'), at('/to/new/name'), FREE),
    'a copy': (scope) => scope.copy(at('/from/file'), at('/to/name'), FREE),
    'a copy into a new folder': (scope) => scope.copy(at('/from/file'), at('/to/new/name'), FREE),
    'a merge': (scope) => scope.move(at('/from'), at('/to'), OVER),
    'a copy into a folder': (scope) => scope.copy(at('/from'), at('/to'), OVER),
    'a new file in a new folder': (scope) =>
      scope.write(at('/to/new/name'), new Uint8Array(1), FREE),
    'a folder of an archive': (scope) =>
      scope.fill.run('extract', { from: at('/from/file'), to: at('/to') }, (change) =>
        change((into) => into.mkdir(at('/to/made'))),
      ),
  }
  test.each(Object.entries(CHANGES))('%s is refused, and changes nothing', async (_, work) => {
    expect(await run(work)).toBe('forbidden')
  })

  test('a restore is refused, and the content stays in the trash', async () => {
    await admin().remove(at('/from/file'))
    rmSync(disk('from'), { recursive: true })
    mkdirSync(disk('from'))
    const id = (await inTrash())[0]?.id ?? 0
    const restore = (to: string) => (scope: Scope) =>
      opened.tree.userTrash.restore(scope, id, at(to), { parents: true })
    expect(await run(await restore('/to/name'))).toBe('forbidden')
    expect(await run(await restore('/to/new/name'))).toBe('forbidden')
  })

  test('an undo is refused', async () => {
    const undo = async (scope: Scope) => opened.tree.undo.undo(scope, (await entries())[0]?.id ?? 0)
    await admin().mkdir(at('/to/made'))
    expect(await run(undo)).toBe('forbidden')
    await admin().move(at('/from/file'), at('/to/name'), FREE)
    expect(await run(undo)).toBe('forbidden')
    await admin().remove(at('/to/name'))
    expect(await run(undo)).toBe('forbidden')
  })

  test('what a rule denies by then is not replaced', async () => {
    const rules = [{ regex: false, allow: false, path: '/to', regexp: null }]
    const move = (scope: Scope) => scope.move(at('/from/file'), at('/to/name'), FREE)
    expect(await run(move, { ...actor, rules })).toBe('forbidden')
  })
})

describe('two requests for the same name at once', () => {
  const both = async (...works: Promise<unknown>[]) => (await Promise.all(works.map(code))).sort()

  test('of two moves, one happens', async () => {
    const move = (to: string) => admin().move(at('/from/file'), at(`/to/${to}`), FREE)
    expect(await both(move('a'), move('b'))).toEqual(['no fault', 'notFound'])
    const [name = ''] = readdirSync(disk('to'))
    expect(await steps()).toEqual([`renamed /from/file /to/${name}`])
  })

  test('of two moves to one name, one happens, and the other file stays', async () => {
    writeFileSync(disk('from/other'), 'other')
    const move = (from: string) => admin().move(at(`/from/${from}`), at('/to/name'), FREE)
    expect(await both(move('file'), move('other'))).toEqual(['conflict', 'no fault'])
    expect([readdirSync(disk('from')).length, (await steps()).length]).toEqual([1, 1])
  })

  test('of a deletion and a move, one happens', async () => {
    const move = admin().move(at('/from/file'), at('/to/name'), FREE)
    expect(await both(admin().remove(at('/from/file')), move)).toEqual(['no fault', 'notFound'])
    expect(readdirSync(disk('to')).length + opened.trashed().length).toBe(1)
    expect((await steps()).length).toBe(1)
  })

  test('of two deletions, one happens', async () => {
    const remove = () => admin().remove(at('/from/file'))
    expect(await both(remove(), remove())).toEqual(['no fault', 'notFound'])
    expect([trashed(), await steps()]).toEqual([['ours'], ['removed /from/file']])
  })

  test('of two new folders, one is made', async () => {
    const make = () => admin().mkdir(at('/to/made'))
    expect(await both(make(), make())).toEqual(['no fault', 'no fault'])
    expect(await steps()).toEqual(['made /to/made'])
  })

  test('of two copies to one name, one is made', async () => {
    const copy = () => admin().copy(at('/from/file'), at('/to/name'), FREE)
    expect(await both(copy(), copy())).toEqual(['conflict', 'no fault'])
    expect(await steps()).toEqual(['made /to/name'])
  })

  test('of a save and a move of the file, both happen, or the save finds no file', async () => {
    const save = admin().save(at('/from/file'), new TextEncoder().encode('saved'), () => true)
    const results = await both(save, admin().move(at('/from/file'), at('/to/name'), FREE))
    expect(results[0]).toBe('no fault')
    const kept = [...trashed(), text('to/name')]
    expect(kept).toContain('ours')
  })
})
