/** Whose scope is what: users see their folder, visitors of a public link see what was shared. */

import type { Storage } from '#server/storage/storage.ts'
import { joinPath, parsePath, ROOT, type TreePath } from '#wire/paths.ts'
import { permissionsOf } from '#wire/permissions.ts'
import type { Rule, User } from '#wire/user.ts'
import type { Actor } from './actor.ts'
import type { EventHook, PathListener } from './file-events.ts'
import { NO_RECORDER, type Origin, type Recorder } from './recorder.ts'
import { Scope } from './scope.ts'

/** What is asked of a person to build their scope. */
export type ScopeOwner = Pick<User, 'id' | 'username' | 'perm' | 'scope' | 'rules' | 'hideDotfiles'>

export class Scopes {
  readonly #storage: Storage
  readonly #globalRules: () => readonly Rule[]
  readonly #listener: PathListener
  readonly #hooks: EventHook
  readonly #recorder: Recorder

  constructor(
    storage: Storage,
    globalRules: () => readonly Rule[],
    listener: PathListener,
    hooks: EventHook,
    recorder: Recorder = NO_RECORDER,
  ) {
    this.#recorder = recorder
    this.#storage = storage
    this.#globalRules = globalRules
    this.#listener = listener
    this.#hooks = hooks
  }

  /**
   * The person's own files, as rights and rules are at this moment.
   *
   * @param present the person as they are when a long request ends. @throws Fault unauthenticated
   * @param origin where the person's changes come from, for the journal
   */
  of(
    person: ScopeOwner,
    present: () => ScopeOwner = () => person,
    origin: Origin = { session: '', client: 'api' },
  ): Scope {
    const actor = this.#actorOf(person)
    const storage = this.#storage.within(actor.scope, { exactly: true })
    const presentActor = () => this.#actorOf(present())
    const journalled = { recorder: this.#recorder, origin }
    return new Scope(storage, actor, this.#listener, this.#hooks, presentActor, journalled)
  }

  #actorOf(person: ScopeOwner): Actor {
    return {
      id: person.id,
      username: person.username,
      perm: person.perm,
      scope: parsePath(person.scope),
      rulesFrom: [ROOT],
      rules: [...this.#globalRules(), ...person.rules],
      hideDotfiles: person.hideDotfiles,
    }
  }

  /**
   * What a visitor of a link to `folder` gets: that folder as a jail of its own, download and nothing
   * else, under the owner's rules.
   *
   * @param real where the folder lies: what is opened is there, or nothing is. Undefined follows links.
   * @param present the owner as they are while the answer is sent. @throws Fault notFound, forbidden
   */
  shared(
    owner: ScopeOwner,
    folder: TreePath,
    real: TreePath | undefined,
    present: () => ScopeOwner = () => owner,
  ): Scope {
    const visitorOf = (person: ScopeOwner): Actor => ({
      ...this.#actorOf(person),
      perm: permissionsOf('download'),
      scope: joinPath(parsePath(person.scope), folder),
      rulesFrom: real === undefined || real === folder ? [folder] : [folder, real],
    })
    const home = parsePath(owner.scope)
    const exactly = real !== undefined
    const jail = this.#storage.within(home, { exactly: true }).within(real ?? folder, { exactly })
    const presentVisitor = () => visitorOf(present())
    return new Scope(jail, visitorOf(owner), this.#listener, this.#hooks, presentVisitor)
  }
}
