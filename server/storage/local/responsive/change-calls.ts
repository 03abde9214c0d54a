/**
 * The messages between the thread that serves requests and the thread that changes one file system. A call of the storage
 * is one message, and its result another one. Functions in its arguments stay with the caller: the thread gets a number for
 * each, and calls it by a message.
 */

import type { Step } from '#server/storage/step.ts'
import type { InnerFolder } from '../confine/confined-folder.ts'
import type { OwnPaths } from '../confine/server-files.ts'
import type { DeviceFailure } from '../devices/device-failure.ts'
import type { ChangeTask } from './change-tasks.ts'

/** What the thread needs to open the served folder. */
export interface ChangeStart {
  /** A descriptor of the served root, open as long as the thread. */
  root: number
  /** `major:minor` of the file system. */
  device: string
  ownPaths: OwnPaths
  fileMode: number
  folderMode: number
  /** The name of this process's folder in the private folder of the root. */
  processFolder: string
  isRelaxed: boolean
  /** The reply to a call of a function that must not wait. */
  reply: SharedArrayBuffer
  /** The numbers of functions in `LocalOptions`, by name. */
  options: Record<string, CallbackRef>
}

/** A view of the tree, as a message can contain it. */
export interface CallView {
  folders: readonly InnerFolder[]
  followsLinks: boolean
  /** The number of `checkPath`. */
  checkPath: CallbackRef | undefined
}

export type ThreadRequest =
  | ChangeStart
  | { call: number; name: ChangeTask; view: CallView; args: readonly unknown[] }
  | { answerTo: number; value?: unknown; failure?: CallFailure }
  | { ping: number }
  | { unwatch: number }
  | { isEnd: true }

export type ThreadResponse =
  /** A call has ended. `steps`: the recorded steps in their final state. */
  | { call: number; value?: unknown; failure?: CallFailure; steps: Step[] }
  /** Calls a function; `answerTo` is undefined if the reply goes to the shared buffer, or none is wanted. */
  | { callback: number; args: readonly unknown[]; kind: CallbackKind; answerTo?: number }
  | { pong: number }
  | { changed: readonly string[] }
  | { isEnded: true }

/**
 * How the thread calls a function. `now`: it waits for the reply, and the thread does nothing else. `later`: it gets a
 * promise. `notice`: there is no reply.
 */
export type CallbackKind = 'now' | 'later' | 'notice'

/** An error, and the number of the error of a function that it is. */
export interface CallFailure extends DeviceFailure {
  thrown?: number | undefined
}

/** A function in the arguments of a call. */
export interface CallbackRef {
  callback: number
  kind: CallbackKind | 'stream' | 'steps'
}

/** The functions that are not called `now`. */
const KINDS: Record<string, CallbackRef['kind']> = {
  record: 'steps',
  makeRoom: 'later',
  next: 'later',
  reclaimable: 'later',
  paths: 'later',
  changed: 'notice',
  recovered: 'notice',
}

/** Size of the shared buffer: a reply is a number or an error. */
export const REPLY_BYTES = 64 * 1024
/** Positions in the shared buffer, as 32-bit numbers; the text follows. */
export const REPLY_STATE = 0
export const REPLY_LENGTH = 1
export const REPLY_TEXT_AT = 8

/** @returns how a function in an argument of this name is called */
export function callbackKindOf(name: string): CallbackRef['kind'] {
  return KINDS[name] ?? 'now'
}

export function isCallbackRef(value: object): value is CallbackRef {
  return 'callback' in value && 'kind' in value
}

/** Replaces each function and stream in a value, also in objects inside it. */
export function mapFunctions(
  value: unknown,
  name: string,
  map: (value: object, name: string) => unknown,
): unknown {
  if (typeof value === 'function') return map(value, name)
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof ReadableStream || isCallbackRef(value)) return map(value, name)
  if (Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, mapFunctions(part, key, map)]),
  )
}
