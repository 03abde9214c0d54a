/** In a thread that changes a file system: the functions of the thread that serves requests, which it calls by messages. */

import type { ByteStream } from '#server/storage/node.ts'
import type { Step } from '#server/storage/step.ts'
import type { PathCheck } from '#server/storage/storage.ts'
import { type Fault, isFault } from '#wire/fault.ts'
import { errorOf, taskFailureOf } from '../devices/device-failure.ts'
import type { LocalOptions } from '../operations/served-folder.ts'
import {
  type CallbackKind,
  type CallbackRef,
  type CallFailure,
  isCallbackRef,
  mapFunctions,
  REPLY_LENGTH,
  REPLY_STATE,
  REPLY_TEXT_AT,
  type ThreadRequest,
  type ThreadResponse,
} from './change-calls.ts'

type Answer = Extract<ThreadRequest, { answerTo: number }>

export class Callbacks {
  readonly #reply: SharedArrayBuffer
  readonly #state: Int32Array
  readonly #post: (response: ThreadResponse) => void
  /** Key: the number of a question; value: receives the answer. */
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>()
  /** Errors of functions, with their numbers. */
  readonly #thrown = new WeakMap<Error, number>()
  #questions = 0

  constructor(reply: SharedArrayBuffer, post: (response: ThreadResponse) => void) {
    this.#reply = reply
    this.#state = new Int32Array(reply, 0, 2)
    this.#post = post
  }

  /** The functions of one call. */
  begin(): CallScope {
    return new CallScope(this)
  }

  /** Receives the answer to a question. */
  answer({ answerTo, value, failure }: Answer): void {
    const waiting = this.#waiting.get(answerTo)
    this.#waiting.delete(answerTo)
    if (failure) waiting?.reject(this.#errorOf(failure))
    else waiting?.resolve(value)
  }

  /** The functions of the options of the storage. */
  optionsOf(refs: Record<string, CallbackRef>): Partial<LocalOptions> {
    const { makeRoom, reclaimable, keptOn, refusal, recovered } = refs
    return {
      ...(makeRoom && {
        makeRoom: (...args) => this.later(makeRoom, args) as Promise<boolean>,
      }),
      ...(reclaimable && {
        reclaimable: async (...args) => Number(await this.later(reclaimable, args)),
      }),
      ...(recovered && { recovered: (...args) => this.notice(recovered, args) }),
      ...(keptOn &&
        refusal && {
          reserve: {
            // JSON has no Infinity.
            keptOn: (device) => Number(this.now(keptOn, [device]) ?? Number.POSITIVE_INFINITY),
            refusal: (device) => this.#errorOfCall(refusal, device),
          },
        }),
    }
  }

  /** Calls a function and waits for its result, in which the thread does nothing else. @throws what it throws */
  now({ callback }: CallbackRef, args: readonly unknown[], kind: CallbackKind = 'now'): unknown {
    Atomics.store(this.#state, REPLY_STATE, 0)
    this.#post({ callback, args, kind })
    Atomics.wait(this.#state, REPLY_STATE, 0)
    const length = Atomics.load(this.#state, REPLY_LENGTH)
    const text = new TextDecoder().decode(
      new Uint8Array(this.#reply, REPLY_TEXT_AT, length).slice(),
    )
    const { value, failure } = JSON.parse(text) as { value?: unknown; failure?: CallFailure }
    if (failure) throw this.#errorOf(failure)
    return value
  }

  /** Calls a function, which may take long. @throws what it throws */
  later({ callback }: CallbackRef, args: readonly unknown[]): Promise<unknown> {
    this.#questions += 1
    const waiting = Promise.withResolvers<unknown>()
    this.#waiting.set(this.#questions, waiting)
    this.#post({ callback, args, kind: 'later', answerTo: this.#questions })
    return waiting.promise
  }

  notice({ callback }: CallbackRef, args: readonly unknown[]): void {
    this.#post({ callback, args, kind: 'notice' })
  }

  /** An error as a message, with its number if a function has thrown it. */
  failureOf(error: unknown): CallFailure {
    return { ...taskFailureOf(error), thrown: this.#numberOf(error) }
  }

  #numberOf(error: unknown): number | undefined {
    if (!(error instanceof Error)) return undefined
    const number = this.#thrown.get(error)
    // The storage wraps errors that it does not know, such as that of a client who has left.
    return number ?? (isFault(error, 'internal') ? this.#numberOf(error.cause) : undefined)
  }

  #errorOf(failure: CallFailure): Error {
    const error = errorOf(failure)
    if (failure.thrown !== undefined) this.#thrown.set(error, failure.thrown)
    return error
  }

  #errorOfCall(ref: CallbackRef, device: number): Fault {
    try {
      this.now(ref, [device])
    } catch (error) {
      return error as Fault
    }
    throw new Error('This function throws the refusal.')
  }
}

/** One call: its functions, and the steps that it has recorded. */
class CallScope {
  readonly #callbacks: Callbacks
  /** The storage changes them until the call has ended. */
  readonly steps: Step[] = []

  constructor(callbacks: Callbacks) {
    this.#callbacks = callbacks
  }

  /** @returns an argument of a call with functions instead of their numbers */
  withFunctions(arg: unknown): unknown {
    return mapFunctions(arg, '', (value) => {
      if (!isCallbackRef(value)) return value
      switch (value.kind) {
        case 'stream':
          return this.#streamOf(value)
        case 'steps':
          return async (steps: Step[]) =>
            this.#keep(steps, await this.#callbacks.later(value, [steps]))
        case 'later':
          return (...args: unknown[]) => this.#callbacks.later(value, args)
        case 'notice':
          return (...args: unknown[]) => this.#callbacks.notice(value, args)
        case 'now':
          return (...args: unknown[]) => this.#callbacks.now(value, args)
      }
    })
  }

  checkPath(ref: CallbackRef | undefined): PathCheck | undefined {
    return ref && ((...check) => void this.#callbacks.now(ref, check))
  }

  failureOf(error: unknown): CallFailure {
    return this.#callbacks.failureOf(error)
  }

  /** @param kept the names in the trash as the journal has recorded them */
  #keep(steps: Step[], kept: unknown): void {
    for (const [index, step] of steps.entries()) step.kept = (kept as string[])[index] ?? ''
    for (const step of steps) this.steps.push(step)
  }

  #streamOf(ref: CallbackRef): ByteStream {
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const chunk = await this.#callbacks.later(ref, [])
          if (chunk instanceof Uint8Array) controller.enqueue(chunk)
          else controller.close()
        },
        cancel: () => this.#callbacks.notice(ref, ['cancel']),
      },
      { highWaterMark: 0 },
    )
  }
}
