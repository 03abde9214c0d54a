/**
 * Undo, its rollback and the trash act on recorded paths. No folder of such a path may be a symbolic link, and the
 * folder of a step must be the one that it was. Otherwise the content of one user would get into the folder of another.
 *
 * `lu` is a user, and `victim` is the folder of another user. `without-openat2.test.ts` runs this file again without
 * openat2(2).
 */
import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import type { Recorder } from '#server/access/recorder.ts'
import type { Scope } from '#server/access/scope/scope.ts'
import { Fault } from '#wire/fault.ts'
import { parsePath } from '#wire/paths.ts'
import { actingAfter, JournaledTree, type Meddling } from '../../support/storage/journaled-tree.ts'

const at = parsePath
const LU = { id: 2, path: '/lu' }
const DENY_VICTIM = { regex: false, allow: false, path: '/victim', regexp: null }
const NAMES = ['m0', 'm1', 'm2', 'm3', 'm4']
const CONTENTS = Object.fromEntries(NAMES.map((name) => [name, `content of ${name}`]))
const HALFWAY = /stopped halfway/

let opened: JournaledTree
let victim: Record<string, string>
beforeEach(async () => {
  opened = await JournaledTree.open('lu', 'victim')
  writeFileSync(disk('victim/own'), 'own')
  victim = opened.stateOf('victim')
})
afterEach(async () => {
  // Whatever happens in a test, nothing in the folder of the other user changes.
  const now = opened.stateOf('victim')
  await opened.close()
  expect(now).toEqual(victim)
})

/** Changes rows of the database, as an earlier version would have written them. */
function changeRows(...statements: string[]): void {
  using db = new Database(opened.database)
  for (const statement of statements) db.run(statement)
}

const disk = (...names: string[]) => opened.disk(...names)
const lu = (meddling?: Meddling) => opened.scope(LU, meddling)

/** Writes the files as one change, as an extraction does. @returns the id of its entry */
async function extract(scope = lu(), folder = '/a'): Promise<number> {
  await scope.fill.run('extract', { from: at('/'), to: at(folder) }, (change) =>
    change(async (into) => {
      for (const name of NAMES) {
        const bytes = new TextEncoder().encode(CONTENTS[name])
        await into.write(at(`${folder}/${name}`), bytes, { overwrite: false })
      }
    }),
  )
  return scope.entries.at(-1) ?? 0
}

/** @returns the code and the text of a refusal; `done` if there is none */
function refusal(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    (error) => (error instanceof Fault ? `${error.code}: ${error.message}` : `defect: ${error}`),
  )
}

const contents = (name: string) => opened.contentsOf(name)

/** Undoes the extraction, and calls `act` before the third file is removed, which is recorded. @returns the refusal */
function undoInterrupted(id: number, act: () => void): Promise<string> {
  const recorder = actingAfter(opened.tree.journal, 3, act)
  return refusal(opened.tree.undo.undo(lu({ recorder }), id))
}

/** A recorder that throws when so many steps are recorded, and does not finish the entry, as if the server were killed. */
function killedAfter(steps: number): Recorder {
  const { journal } = opened.tree
  const killed = actingAfter(journal, steps, () => {
    throw new Error('killed')
  })
  return {
    ...killed,
    open: (...change) => Object.assign(killed.open(...change), { failed: async () => undefined }),
  }
}

/** The number of undos that stopped halfway. */
const halfDone = async () => (await opened.rows.journal.partialUndos(disk())).length

/** What rolls back an undo that stopped halfway. */
const TRIGGERS: Record<string, (id: number) => Promise<unknown>> = {
  maintenance: () => opened.tree.undo.rollBack().catch(() => undefined),
  'the next start': () => opened.restart(),
  'the next undo by its user': (id) => refusal(opened.tree.undo.undo(lu(), id)),
  'the next undo by an administrator': (id) =>
    refusal(opened.tree.undo.undo(opened.administrator(), id)),
}

describe('an undo that stops halfway', () => {
  test('a folder that is replaced by a link during the undo gets nothing into its target', async () => {
    const id = await extract()
    let putBack = () => {}
    const refused = await undoInterrupted(id, () => {
      putBack = opened.replaceByLink('lu/a', '../victim')
    })
    expect(refused).toMatch(HALFWAY)
    expect([await halfDone(), opened.trashed().length]).toEqual([1, 2])
    for (const [trigger, run] of Object.entries(TRIGGERS)) {
      await run(id)
      expect(opened.stateOf('victim'), trigger).toEqual(victim)
      expect([await halfDone(), opened.trashed().length], trigger).toEqual([1, 2])
    }
    putBack()
    await opened.tree.undo.rollBack()
    expect([await halfDone(), contents('lu/a')]).toEqual([0, CONTENTS])
    await opened.tree.undo.undo(lu(), id)
    expect(existsSync(disk('lu/a'))).toBe(false)
  })

  test.each(Object.entries(TRIGGERS))(
    'a folder that was moved away and replaced by a link later gets nothing into its target: %s',
    async (_, run) => {
      const id = await extract()
      const refused = await undoInterrupted(id, () => renameSync(disk('lu/a'), disk('lu/b')))
      expect(refused).toMatch(HALFWAY)
      symlinkSync('../victim', disk('lu/a'))
      await run(id)
      expect(opened.stateOf('victim')).toEqual(victim)
      expect([await halfDone(), opened.trashed().length]).toEqual([1, 2])
      rmSync(disk('lu/a'))
      renameSync(disk('lu/b'), disk('lu/a'))
      await run(id)
      const { undoneBy } = (await opened.tree.journal.find(id)) ?? {}
      if (undoneBy === 0) expect(contents('lu/a')).toEqual(CONTENTS)
      else expect(existsSync(disk('lu/a'))).toBe(false)
      expect(await halfDone()).toBe(0)
    },
  )

  test('a rule that denies the target holds for the rollback too', async () => {
    const ruled = { id: 2, path: '/', rules: [DENY_VICTIM] }
    const id = await extract(opened.scope(ruled), '/lu/a')
    let putBack = () => {}
    const recorder = actingAfter(opened.tree.journal, 3, () => {
      putBack = opened.replaceByLink('lu/a', '../victim')
    })
    const undone = opened.tree.undo.undo(opened.scope(ruled, { recorder }), id)
    expect(await refusal(undone)).toMatch(HALFWAY)
    await opened.tree.undo.rollBack().catch(() => undefined)
    await opened.restart()
    expect(opened.stateOf('victim')).toEqual(victim)
    putBack()
    await opened.restart()
    expect(contents('lu/a')).toEqual(CONTENTS)
  })

  test('another folder at the path gets nothing, such as the home of the next user of that name', async () => {
    const id = await extract(lu(), '/')
    const refused = await undoInterrupted(id, () => {
      renameSync(disk('lu'), disk('old'))
      mkdirSync(disk('lu'))
    })
    expect(refused).toMatch(HALFWAY)
    await opened.restart()
    await opened.tree.undo.rollBack().catch(() => undefined)
    expect(readdirSync(disk('lu'))).toEqual([])
    rmSync(disk('lu'), { recursive: true })
    renameSync(disk('old'), disk('lu'))
    await opened.restart()
    expect([await halfDone(), contents('lu')]).toEqual([0, CONTENTS])
  })

  /** Stops an undo halfway, and then its rollback, while a link replaces the folder. @returns the undone entry */
  async function rollBackInterrupted(): Promise<{ id: number; putBack: () => void }> {
    const id = await extract()
    await undoInterrupted(id, () => renameSync(disk('lu/a'), disk('lu/b')))
    renameSync(disk('lu/b'), disk('lu/a'))
    const { journal, undo } = opened.tree
    const open = journal.open.bind(journal)
    let putBack = () => {}
    const meddling = actingAfter(
      {
        open,
        keeps: async () => true,
        makeRoom: async () => false,
        describeFull: async (fault) => fault,
      },
      2,
      () => {
        putBack = opened.replaceByLink('lu/a', '../victim')
      },
    )
    Object.assign(journal, { open: meddling.open })
    expect(await refusal(undo.rollBack())).toMatch(HALFWAY)
    Object.assign(journal, { open })
    expect(opened.stateOf('victim')).toEqual(victim)
    return { id, putBack }
  }
  const unfinished = async () => (await opened.rows.journal.unfinished(disk())).length

  test('a rollback that stops halfway itself is completed when the folder is back', async () => {
    const { id, putBack } = await rollBackInterrupted()
    await opened.restart()
    expect(await refusal(opened.tree.undo.undo(lu(), id))).toMatch(HALFWAY)
    expect([await halfDone(), await unfinished()]).toEqual([1, 1])
    putBack()
    expect(await refusal(opened.tree.undo.undo(lu(), id))).toBe('done')
    expect(existsSync(disk('lu/a'))).toBe(false)
    await opened.tree.undo.redo(lu(), id)
    expect(contents('lu/a')).toEqual(CONTENTS)
    expect([await halfDone(), await unfinished()]).toEqual([0, 0])
  })

  test('an undo does not wait for its folder longer than the journal keeps entries', async () => {
    await rollBackInterrupted()
    changeRows('UPDATE journal SET at_ms = 0 WHERE is_done = 0')
    await opened.restart()
    expect(await unfinished()).toBe(0)
  })

  test('the rollback stays in the scope in which the undo was made', async () => {
    const id = await extract()
    await undoInterrupted(id, () => renameSync(disk('lu/a'), disk('lu/b')))
    renameSync(disk('lu/b'), disk('lu/a'))
    await opened.restart()
    using db = new Database(opened.database)
    const scopes = db.query("SELECT DISTINCT scope FROM journal WHERE verb IN ('undo', 'redo')")
    expect([await halfDone(), scopes.values()]).toEqual([0, [['/lu']]])
  })

  test('an undo that cannot be rolled back is logged once', async () => {
    const lines: string[] = []
    opened.tree.undo.listen((line) => lines.push(line))
    const id = await extract()
    await undoInterrupted(id, () => renameSync(disk('lu/a'), disk('lu/b')))
    for (let turn = 0; turn < 3; turn += 1) await refusal(opened.tree.undo.rollBack())
    await refusal(opened.tree.undo.undo(lu(), id))
    expect(lines).toEqual([expect.stringContaining(`the undo of entry ${id} stopped halfway`)])
  })

  test.each([1, 2, 3, 4])(
    'a kill after %p steps, and a link at the next start, lose nothing',
    async (steps) => {
      const id = await extract()
      const undone = opened.tree.undo.undo(lu({ recorder: killedAfter(steps) }), id)
      expect(await refusal(undone)).not.toBe('done')
      const putBack = opened.replaceByLink('lu/a', '../victim')
      await opened.restart()
      expect(opened.stateOf('victim')).toEqual(victim)
      putBack()
      await opened.restart()
      expect([await halfDone(), contents('lu/a')]).toEqual([0, CONTENTS])
    },
  )
})

describe('a change whose folder is a link by now', () => {
  const actors: [string, () => Scope][] = [
    ['its user', () => lu()],
    ['an administrator', () => opened.administrator()],
  ]
  /** Makes a change in a folder that is then replaced by a link. */
  async function changed(act: (scope: Scope) => Promise<unknown>) {
    mkdirSync(disk('lu/a'))
    for (const name of NAMES) writeFileSync(disk('lu/a', name), `content of ${name}`)
    const scope = lu()
    await act(scope)
    const id = scope.entries.at(-1) ?? 0
    return { id, putBack: opened.replaceByLink('lu/a', '../victim') }
  }
  const itemAt = async (scope: Scope) => {
    const [item] = await opened.tree.userTrash.list(scope, Number.MAX_SAFE_INTEGER, 1)
    return item?.id ?? 0
  }

  test.each(actors)('%s does not undo a removal through the link', async (_, scope) => {
    const { id, putBack } = await changed((by) => by.remove(at('/a/m0')))
    expect(await refusal(opened.tree.undo.undo(scope(), id))).toMatch(/^outside:/)
    expect(opened.stateOf('victim')).toEqual(victim)
    putBack()
    await opened.tree.undo.undo(scope(), id)
    expect(contents('lu/a')).toEqual(CONTENTS)
  })

  test.each(actors)('%s does not undo a rename through the link', async (_, scope) => {
    const { id, putBack } = await changed((by) =>
      by.move(at('/a/m0'), at('/moved'), { overwrite: false }),
    )
    expect(await refusal(opened.tree.undo.undo(scope(), id))).toMatch(/^outside:/)
    putBack()
    await opened.tree.undo.undo(scope(), id)
    expect(contents('lu/a')).toEqual(CONTENTS)
  })

  test.each(actors)('%s does not redo an upload through the link', async (_, scope) => {
    const { id, putBack } = await changed(async (by) => {
      await by.write(at('/a/new'), new TextEncoder().encode('new'), { overwrite: false })
      await opened.tree.undo.undo(by, by.entries.at(-1) ?? 0)
    })
    const first = (await opened.tree.journal.find(id))?.undoOf ?? 0
    expect(await refusal(opened.tree.undo.redo(scope(), first))).toMatch(/^outside:/)
    expect(opened.stateOf('victim')).toEqual(victim)
    putBack()
    await opened.tree.undo.redo(scope(), first)
    expect(contents('lu/a')).toEqual({ ...CONTENTS, new: 'new' })
  })

  test('the undo of all changes of a user, and its preview, follow no link', async () => {
    const { id, putBack } = await changed((by) => by.remove(at('/a/m0')))
    const entry = await opened.tree.journal.find(id)
    const entries = entry ? [entry] : []
    for (const isDry of [true, false]) {
      const outcomes = await opened.tree.undo.undoAll(opened.administrator(), entries, isDry)
      expect(outcomes.map(({ problem }) => problem?.code)).toEqual(['outside'])
    }
    putBack()
    await opened.tree.undo.undoAll(opened.administrator(), entries, false)
    expect(contents('lu/a')).toEqual(CONTENTS)
  })

  test.each(actors)('%s does not restore from the trash through the link', async (_, scope) => {
    const { putBack } = await changed((by) => by.remove(at('/a/m0')))
    const { userTrash } = opened.tree
    const item = await itemAt(scope())
    for (const parents of [false, true]) {
      const restored = userTrash.restore(scope(), item, undefined, { parents })
      expect(await refusal(restored)).toMatch(/^outside:/)
      expect(opened.stateOf('victim')).toEqual(victim)
    }
    putBack()
    await userTrash.restore(scope(), item, undefined, { parents: false })
    expect(contents('lu/a')).toEqual(CONTENTS)
  })

  test('a restore that creates missing folders creates none behind the link', async () => {
    mkdirSync(disk('lu/a/deep'), { recursive: true })
    writeFileSync(disk('lu/a/deep/file'), 'file')
    await lu().remove(at('/a/deep/file'))
    rmSync(disk('lu/a/deep'), { recursive: true })
    const putBack = opened.replaceByLink('lu/a', '../victim')
    const { userTrash } = opened.tree
    const scope = opened.administrator()
    const item = await itemAt(scope)
    const restored = userTrash.restore(scope, item, undefined, { parents: true })
    expect(await refusal(restored)).toMatch(/^outside:/)
    putBack()
    await userTrash.restore(scope, item, undefined, { parents: true })
    expect(contents('lu/a')).toEqual({ deep: 'folder', 'deep/file': 'file' })
  })

  test.each(['undo', 'trash', 'version'])(
    'a link that replaces the folder after the checks is not followed by an administrator: %s',
    async (kind) => {
      mkdirSync(disk('lu/a'))
      writeFileSync(disk('lu/a/own'), 'old')
      const scope = lu()
      if (kind === 'version') {
        await scope.save(at('/a/own'), new TextEncoder().encode('new'), () => true)
      } else await scope.remove(at('/a/own'))
      if (kind !== 'version') rmSync(disk('victim/own'))
      victim = opened.stateOf('victim')
      let putBack = () => {}
      const hook = async ({ hook }: { hook: string }) => {
        if (hook.startsWith('before_')) putBack = opened.replaceByLink('lu/a', '../victim')
      }
      const { undo, userTrash } = opened.tree
      const administrator = opened.administrator({ hook })
      const item = await itemAt(administrator)
      const acts: Record<string, () => Promise<unknown>> = {
        undo: () => undo.undo(administrator, scope.entries.at(-1) ?? 0),
        trash: () => userTrash.restore(administrator, item, undefined, { parents: true }),
        version: async () => {
          const [version] = await userTrash.versions(administrator, at('/lu/a/own'))
          await userTrash.restoreVersion(administrator, version?.id ?? 0, at('/lu/a/own'))
        },
      }
      expect(await refusal(acts[kind]?.() ?? Promise.resolve())).toMatch(/^outside:/)
      expect(opened.stateOf('victim')).toEqual(victim)
      putBack()
      expect(contents('lu/a')).toEqual(kind === 'version' ? { own: 'new' } : {})
      expect(opened.trashed().length).toBe(1)
    },
  )
})

describe('a change whose folder is another one by now', () => {
  /** Replaces `a` by a new folder with the same files, so that only the folder differs. @returns a function that reverses this */
  function replaceByFolder(): () => void {
    const [folder, aside] = [disk('lu/a'), disk('lu/a-aside')]
    const moveFiles = (from: string, to: string) => {
      for (const name of readdirSync(from)) renameSync(`${from}/${name}`, `${to}/${name}`)
    }
    renameSync(folder, aside)
    mkdirSync(folder)
    moveFiles(aside, folder)
    return () => {
      moveFiles(folder, aside)
      rmSync(folder, { recursive: true })
      renameSync(aside, folder)
    }
  }

  /** Makes a change in the folder. @returns its entry, and what was there before */
  async function changed(act: (scope: Scope) => Promise<unknown>) {
    mkdirSync(disk('lu/a'))
    for (const name of ['m0', 'a/m0']) writeFileSync(disk('lu', name), name)
    const before = contents('lu')
    const scope = lu()
    await act(scope)
    return { id: scope.entries.at(-1) ?? 0, before }
  }

  const changes: [string, (scope: Scope) => Promise<unknown>][] = [
    ['a removal', (scope) => scope.remove(at('/a/m0'))],
    ['a rename into it', (scope) => scope.move(at('/m0'), at('/a/m9'), { overwrite: false })],
    ['a rename out of it', (scope) => scope.move(at('/a/m0'), at('/m9'), { overwrite: false })],
    ['an upload', (scope) => scope.write(at('/a/m9'), new Uint8Array(3), { overwrite: false })],
    ['a save', (scope) => scope.save(at('/a/m0'), new Uint8Array(3), () => true)],
  ]
  test.each(changes)(
    '%s is not undone there, and is undone when the folder is back',
    async (_, act) => {
      const { id, before } = await changed(act)
      const putBack = replaceByFolder()
      const there = contents('lu/a')
      for (const by of [lu(), opened.administrator()]) {
        expect(await refusal(opened.tree.undo.undo(by, id))).toMatch(/^precondition: The folder of/)
      }
      expect(contents('lu/a')).toEqual(there)
      putBack()
      await opened.tree.undo.undo(lu(), id)
      expect(contents('lu')).toEqual(before)
    },
  )

  test.each(changes)(
    '%s is not undone in a folder that appears after the checks',
    async (_, act) => {
      const { id, before } = await changed(act)
      let putBack = () => {}
      const hook = async ({ hook }: { hook: string }) => {
        if (hook.startsWith('before_')) putBack = replaceByFolder()
      }
      expect(await refusal(opened.tree.undo.undo(lu({ hook }), id))).toBe(
        'precondition: The folder is not the one that it was.',
      )
      putBack()
      await opened.tree.undo.undo(lu(), id)
      expect(contents('lu')).toEqual(before)
    },
  )

  test('the trash restores an item into the folder that has the path now', async () => {
    mkdirSync(disk('lu/a'))
    writeFileSync(disk('lu/a/file'), 'file')
    await lu().remove(at('/a/file'))
    replaceByFolder()
    const { userTrash } = opened.tree
    const [item] = await userTrash.list(lu(), Number.MAX_SAFE_INTEGER, 1)
    await userTrash.restore(lu(), item?.id ?? 0, undefined, { parents: false })
    expect(contents('lu/a')).toEqual({ file: 'file' })
  })
})

describe('an entry of an earlier version, which does not say which folder it was', () => {
  const forgetFolders = () =>
    changeRows(
      "UPDATE journal_steps SET parent = '', target_parent = ''",
      "UPDATE journal SET scope = ''",
    )

  test('it is undone, redone and rolled back', async () => {
    const id = await extract()
    forgetFolders()
    await opened.tree.undo.undo(lu(), id)
    forgetFolders()
    await opened.tree.undo.redo(lu(), id)
    forgetFolders()
    await undoInterrupted(id, () => renameSync(disk('lu/a'), disk('lu/b')))
    forgetFolders()
    renameSync(disk('lu/b'), disk('lu/a'))
    await opened.restart()
    expect([await halfDone(), contents('lu/a')]).toEqual([0, CONTENTS])
  })

  test('it follows no link', async () => {
    const id = await extract()
    await undoInterrupted(id, () => renameSync(disk('lu/a'), disk('lu/b')))
    forgetFolders()
    symlinkSync('../victim', disk('lu/a'))
    await opened.restart()
    expect(opened.stateOf('victim')).toEqual(victim)
    rmSync(disk('lu/a'))
    renameSync(disk('lu/b'), disk('lu/a'))
    await opened.restart()
    expect([await halfDone(), contents('lu/a')]).toEqual([0, CONTENTS])
  })

  test('its recovery does not take a folder behind a link for one that was not made any more', async () => {
    mkdirSync(disk('lu/a'))
    expect(await refusal(lu({ recorder: killedAfter(1) }).mkdir(at('/a/new')))).not.toBe('done')
    forgetFolders()
    mkdirSync(disk('victim/new'))
    victim = opened.stateOf('victim')
    opened.replaceByLink('lu/a', '../victim')
    await opened.restart()
    expect(await opened.rows.journal.list({ root: disk() }, 10)).toEqual([])
    expect(await opened.rows.journal.unfinished(disk())).toEqual([])
  })
})
