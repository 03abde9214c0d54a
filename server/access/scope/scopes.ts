/** Creates scopes: a user's scope is their folder, a share visitor's scope is the shared folder. */

import type { Storage } from '#server/storage/storage.ts'
import type { Rule, User } from '#wire/api/user.ts'
import { joinPath, parsePath, ROOT, type TreePath } from '#wire/paths.ts'
import type { Actor } from '../actor.ts'
import { SHARE_CEILING } from '../ceiling.ts'
import type { EventHook, PathListener } from '../file-events.ts'
import { NO_RECORDER, type Origin, type Recorder } from '../recorder.ts'
import { Scope } from './scope.ts'

/** The parts of a user that a scope needs. */
export type ScopeOwner = Pick<
  User,
  'id' | 'username' | 'perm' | 'scope' | 'rules' | 'hideDotfiles'
> &
  Pick<Actor, 'ceiling'>

/** The rules of all users, which `refresh` reads again. */
export interface GlobalRules {
  get(): readonly Rule[]
  refresh(): Promise<void>
}

/**
 * Returns a user as stored now, for checks during a long request; throws if the account was deleted or may no longer be used.
 */
export type Present = () => Promise<ScopeOwner>

export class Scopes {
  readonly #storage: Storage
  readonly #globalRules: GlobalRules
  readonly #listener: PathListener
  readonly #hooks: EventHook
  readonly #recorder: Recorder
  /** Key: a user as stored; value: the actor, made with `#cachedRules`. */
  #actors = new WeakMap<ScopeOwner, Actor>()
  #cachedRules: readonly Rule[] = []

  constructor(
    storage: Storage,
    globalRules: GlobalRules,
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
   * The scope of a user with present rights and rules.
   *
   * @param present returns the user as stored now, for checks after a long request; throws if the account was deleted
   * @param origin the source of the changes, for the journal
   */
  of(
    user: ScopeOwner,
    present: Present = async () => user,
    origin: Origin = { session: '', client: 'api' },
  ): Scope {
    const actor = this.#actorOf(user)
    const storage = this.#storage.within(actor.scope, { isExact: true })
    const presentActor = async () => {
      await this.#globalRules.refresh()
      return this.#actorOf(await present())
    }
    const recording = { recorder: this.#recorder, origin }
    return new Scope(storage, actor, this.#listener, this.#hooks, presentActor, recording)
  }

  /**
   * As `of`, limited to a folder of the user, which is the root of the scope. The rules of the user apply to it.
   *
   * @param folder its real path
   */
  below(
    owner: ScopeOwner,
    folder: TreePath,
    { present, origin }: { present: Present; origin: Origin },
  ): Scope {
    const actorOf = (user: ScopeOwner): Actor => ({
      ...this.#actorOf(user),
      scope: joinPath(parsePath(user.scope), folder),
      rulesFrom: [folder],
    })
    const home = this.#storage.within(parsePath(owner.scope), { isExact: true })
    const storage = home.within(folder, { isExact: true })
    const recording = { recorder: this.#recorder, origin }
    const presentActor = async () => {
      await this.#globalRules.refresh()
      return actorOf(await present())
    }
    return new Scope(storage, actorOf(owner), this.#listener, this.#hooks, presentActor, recording)
  }

  /** The actor of a user. It stays the same object until the user or the global rules change. */
  #actorOf(user: ScopeOwner): Actor {
    const globalRules = this.#globalRules.get()
    if (globalRules !== this.#cachedRules) {
      this.#cachedRules = globalRules
      this.#actors = new WeakMap()
    }
    const known = this.#actors.get(user)
    if (known) return known
    const actor = {
      id: user.id,
      username: user.username,
      perm: user.perm,
      ceiling: user.ceiling,
      scope: parsePath(user.scope),
      rulesFrom: [ROOT],
      rules: [...globalRules, ...user.rules],
      hideDotfiles: user.hideDotfiles,
    }
    this.#actors.set(user, actor)
    return actor
  }

  /**
   * The scope of a visitor of a share: `folder` as a confined tree, with the right to download only, under the
   * owner's rules.
   *
   * @param real the real path that `folder` must have; every access fails if a link leads elsewhere. Undefined: links
   *   in the path of the folder are followed.
   * @param present returns the owner as stored now, for checks during a long request
   */
  shared(
    owner: ScopeOwner,
    folder: TreePath,
    real: TreePath | undefined,
    present: Present = async () => owner,
  ): Scope {
    const visitorOf = (user: ScopeOwner): Actor => ({
      ...this.#actorOf(user),
      ceiling: SHARE_CEILING,
      scope: joinPath(parsePath(user.scope), folder),
      rulesFrom: real === undefined || real === folder ? [folder] : [folder, real],
    })
    const home = parsePath(owner.scope)
    const isExact = real !== undefined
    const tree = this.#storage.within(home, { isExact: true }).within(real ?? folder, { isExact })
    const presentVisitor = async () => {
      await this.#globalRules.refresh()
      return visitorOf(await present())
    }
    return new Scope(tree, visitorOf(owner), this.#listener, this.#hooks, presentVisitor)
  }
}
