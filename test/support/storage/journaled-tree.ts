/** The served folder of a test with its journal and trash, opened as the server opens it, and scopes of its users. */
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { EventHook } from '#server/access/file-events.ts'
import type { Recorder } from '#server/access/recorder.ts'
import type { Scope } from '#server/access/scope/scope.ts'
import { type ScopeOwner, Scopes } from '#server/access/scope/scopes.ts'
import { loadConfig } from '#server/config/load.ts'
import { openCore } from '#server/core.ts'
import type { Step } from '#server/storage/step.ts'
import { openTree, type Tree } from '#server/tree.ts'
import type { Rule } from '#wire/api/user.ts'
import { permissionsOf } from '#wire/permissions.ts'
import { temporaryFolder } from '../files/tree.ts'

/** What happens during the operations of a scope. */
export interface Meddling {
  recorder?: Recorder
  hook?: EventHook
}

type TestCore = Awaited<ReturnType<typeof openCore>>

export class JournaledTree {
  readonly #folder: ReturnType<typeof temporaryFolder>
  readonly #core: TestCore
  #tree: Tree

  private constructor(folder: ReturnType<typeof temporaryFolder>, core: TestCore, tree: Tree) {
    this.#folder = folder
    this.#core = core
    this.#tree = tree
  }

  /** @param folders the folders in the served folder */
  static async open(...folders: string[]): Promise<JournaledTree> {
    const folder = temporaryFolder()
    const root = join(folder.path, 'root')
    for (const name of folders) mkdirSync(join(root, name), { recursive: true })
    // Without flushes, which change nothing that tests can see.
    const flags = { database: join(folder.path, 'f.db'), root, durability: 'relaxed' }
    const core = await openCore(loadConfig({ flags, env: {} }))
    return new JournaledTree(folder, core, await openTreeOf(root, core))
  }

  get tree(): Tree {
    return this.#tree
  }

  get rows(): TestCore['rows'] {
    return this.#core.rows
  }

  /** The path of the database. */
  get database(): string {
    return join(this.#folder.path, 'f.db')
  }

  /** Closes the served folder and opens it again, as a restart of the server does. */
  async restart(): Promise<void> {
    this.#tree.close()
    this.#tree = await openTreeOf(this.disk(), this.#core)
  }

  async close(): Promise<void> {
    this.#tree.close()
    await this.#core.close()
    this.#folder.remove()
  }

  disk(...names: string[]): string {
    return join(this.#folder.path, 'root', ...names)
  }

  /** The names of the content in the trash. */
  trashed(): string[] {
    return readdirSync(this.disk('.filemgr/trash'))
  }

  /** Gives a folder another name, and its old name to a link. @returns a function that puts the folder back */
  replaceByLink(name: string, target: string): () => void {
    const [folder, aside] = [this.disk(name), this.disk(`${name}-aside`)]
    renameSync(folder, aside)
    symlinkSync(target, folder)
    return () => {
      renameSync(folder, `${aside}-link`)
      renameSync(aside, folder)
    }
  }

  /** A scope with all rights in a folder of the tree. */
  scope(
    { id, path, rules = [] }: { id: number; path: string; rules?: Rule[] },
    meddling?: Meddling,
  ): Scope {
    const perm = permissionsOf('create', 'rename', 'modify', 'delete', 'download')
    const username = `user${id}`
    return this.#scopeOf({ id, username, perm, scope: path, rules, hideDotfiles: false }, meddling)
  }

  /** The scope of an administrator, whose root is the served folder. */
  administrator(meddling?: Meddling): Scope {
    const perm = permissionsOf('admin')
    const admin = { id: 1, username: 'admin', perm, scope: '/', rules: [], hideDotfiles: false }
    return this.#scopeOf(admin, meddling)
  }

  #scopeOf(user: ScopeOwner, { recorder, hook }: Meddling = {}): Scope {
    const { storage, journal } = this.#tree
    const noHook = async () => undefined
    const scopes = new Scopes(
      storage,
      { get: () => [], refresh: async () => undefined },
      this.#core.shares,
      hook ?? noHook,
      recorder ?? journal,
    )
    return scopes.of(user)
  }

  /** Everything that a change in a folder changes: names, contents, inodes and times. */
  stateOf(name: string): Record<string, string> {
    const entries = ['', ...readdirSync(this.disk(name), { recursive: true, encoding: 'utf8' })]
    const describe = (entry: string) => {
      const path = this.disk(name, entry)
      const { ino, mode, mtimeMs, ctimeMs } = statSync(path)
      return [ino, mode, mtimeMs, ctimeMs, contentOf(path)].join(' ')
    }
    return Object.fromEntries(entries.toSorted().map((entry) => [entry, describe(entry)]))
  }

  /** Names with contents. */
  contentsOf(name: string): Record<string, string> {
    const entries = readdirSync(this.disk(name), { recursive: true, encoding: 'utf8' })
    return Object.fromEntries(
      entries.toSorted().map((entry) => [entry, contentOf(this.disk(name, entry))]),
    )
  }
}

/**
 * @param count after so many recorded steps
 * @param act runs once, after these steps are recorded and before the last of them changes the disk
 */
export function actingAfter(recorder: Recorder, count: number, act: () => void): Recorder {
  let left = count
  const countDown = (steps: readonly Step[]) => {
    if (left <= 0) return
    left -= steps.length
    if (left <= 0) act()
  }
  return {
    keeps: async () => true,
    makeRoom: async () => false,
    describeFull: async (fault) => fault,
    open: (...change) => {
      const open = recorder.open(...change)
      const record = open.record.bind(open)
      return Object.assign(open, {
        record: async (steps: Step[]) => {
          await record(steps)
          countDown(steps)
        },
      })
    },
  }
}

function openTreeOf(root: string, { config, rows, flushes, shares }: TestCore): Promise<Tree> {
  return openTree(root, config, { rows, flushes, shares })
}

function contentOf(path: string): string {
  return statSync(path).isFile() ? readFileSync(path, 'utf8') : 'folder'
}
