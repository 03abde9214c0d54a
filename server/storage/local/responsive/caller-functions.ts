/** The functions and streams of calls that a thread calls by their numbers, and the steps that it records with them. */

import type { Step } from '#server/storage/step.ts'
import { Fault } from '#wire/fault.ts'
import { errorOf, taskFailureOf } from '../devices/device-failure.ts'
import {
  type CallbackRef,
  type CallFailure,
  callbackKindOf,
  mapFunctions,
  REPLY_LENGTH,
  REPLY_STATE,
  REPLY_TEXT_AT,
  type ThreadRequest,
  type ThreadResponse,
} from './change-calls.ts'

type Callback = (...args: readonly unknown[]) => unknown
type CallbackMessage = Extract<ThreadResponse, { callback: number }>

/** A call that fails with an error of a function ends soon after it. */
const THROWN_MAX = 1000

export class CallerFunctions {
  readonly #post: (request: ThreadRequest) => void
  readonly #all = new Map<number, Callback>()
  /** The last errors that functions have thrown. Key: their number. */
  readonly thrown = new Map<number, unknown>()
  #reply: SharedArrayBuffer | undefined
  #last = 0
  #thrownCount = 0

  constructor(post: (request: ThreadRequest) => void) {
    this.#post = post
  }

  /** @returns the numbers of functions that all calls use */
  start(
    reply: SharedArrayBuffer,
    functions: Record<string, (...args: never[]) => unknown>,
  ): Record<string, CallbackRef> {
    this.#reply = reply
    return Object.fromEntries(
      Object.entries(functions).map(([name, act]) => [
        name,
        this.add(act as Callback, callbackKindOf(name)),
      ]),
    )
  }

  begin(): Registered {
    return new Registered(this)
  }

  add(act: Callback, kind: CallbackRef['kind']): CallbackRef {
    this.#last += 1
    this.#all.set(this.#last, act)
    return { callback: this.#last, kind }
  }

  remove(callback: number): void {
    this.#all.delete(callback)
  }

  replace(callback: number, act: Callback): void {
    this.#all.set(callback, act)
  }

  /** Calls a function for the thread. */
  call({ callback, args, kind, answerTo }: CallbackMessage): void {
    const act = this.#all.get(callback) ?? refuseEnded
    if (kind === 'notice') act(...args)
    else if (answerTo !== undefined) void this.#answer(answerTo, act, args)
    else this.#replyNow(act, args)
  }

  async #answer(answerTo: number, act: Callback, args: readonly unknown[]): Promise<void> {
    try {
      this.#post({ answerTo, value: await act(...args) })
    } catch (error) {
      this.#post({ answerTo, failure: this.#failureOf(error) })
    }
  }

  #replyNow(act: Callback, args: readonly unknown[]): void {
    try {
      this.#write({ value: act(...args) })
    } catch (error) {
      this.#write({ failure: this.#failureOf(error) })
    }
  }

  #write(reply: { value?: unknown; failure?: CallFailure }): void {
    if (!this.#reply) return
    const state = new Int32Array(this.#reply, 0, 2)
    const text = new TextEncoder().encode(JSON.stringify(reply))
    new Uint8Array(this.#reply, REPLY_TEXT_AT).set(text)
    Atomics.store(state, REPLY_LENGTH, text.length)
    Atomics.store(state, REPLY_STATE, 1)
    Atomics.notify(state, REPLY_STATE)
  }

  #failureOf(error: unknown): CallFailure {
    this.#thrownCount += 1
    this.thrown.set(this.#thrownCount, error)
    this.thrown.delete(this.#thrownCount - THROWN_MAX)
    return { ...taskFailureOf(error), thrown: this.#thrownCount }
  }
}

/** The functions of one call. */
export class Registered {
  readonly #owner: CallerFunctions
  readonly #callbacks: number[] = []
  readonly #streams: StreamReader[] = []
  /** The recorded steps, which get their final state when the call has ended. */
  readonly #steps: Step[] = []

  constructor(owner: CallerFunctions) {
    this.#owner = owner
  }

  add(act: (...args: never[]) => unknown, kind: CallbackRef['kind']): CallbackRef {
    const ref = this.#owner.add(act as Callback, kind)
    this.#callbacks.push(ref.callback)
    return ref
  }

  /** @returns an argument with numbers instead of functions and streams */
  without(arg: unknown): unknown {
    return mapFunctions(arg, '', (value, name) => {
      if (value instanceof ReadableStream) {
        const reader = new StreamReader(value)
        this.#streams.push(reader)
        return this.add((request) => reader.read(request), 'stream')
      }
      const act = value as Callback
      const kind = callbackKindOf(name)
      if (kind !== 'steps') return this.add(act, kind)
      return this.add(async (steps: Step[]) => this.#record(steps, await act(steps)), kind)
    })
  }

  /** Gives the recorded steps their final state. */
  putSteps(steps: readonly Step[]): void {
    for (const [index, step] of steps.entries()) Object.assign(this.#steps[index] ?? {}, step)
  }

  /** @returns the very error of a function, if it is one */
  errorOf(failure: CallFailure): unknown {
    const { thrown } = failure
    return thrown !== undefined && this.#owner.thrown.has(thrown)
      ? this.#owner.thrown.get(thrown)
      : errorOf(failure)
  }

  /** From now on each function throws. */
  refuse(fault: Fault): void {
    for (const stream of this.#streams) void stream.read('cancel')
    for (const callback of this.#callbacks) {
      this.#owner.replace(callback, (request) => {
        if (request !== 'cancel') throw fault
      })
    }
  }

  end(): void {
    for (const callback of this.#callbacks) this.#owner.remove(callback)
    for (const stream of this.#streams) stream.end()
  }

  /** @returns the names in the trash, which the journal may have cleared */
  #record(steps: Step[], _: unknown): string[] {
    for (const step of steps) this.#steps.push(step)
    return steps.map(({ kept }) => kept)
  }
}

/** Reads a stream part by part. It belongs to the caller again as soon as the call has ended. */
class StreamReader {
  readonly #stream: ReadableStream<Uint8Array>
  #reader:
    | {
        read(): Promise<{ value?: Uint8Array | undefined }>
        cancel(): Promise<void>
        releaseLock(): void
      }
    | undefined

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#stream = stream
  }

  /** @returns the next part; undefined at the end, and for `cancel` */
  async read(request: unknown): Promise<Uint8Array | undefined> {
    const reader = this.#reader ?? this.#stream.getReader()
    this.#reader = reader
    if (request !== 'cancel') return (await reader.read()).value
    await reader.cancel().catch(() => undefined)
    return undefined
  }

  end(): void {
    this.#reader?.releaseLock()
  }
}

function refuseEnded(): never {
  throw new Fault('aborted', 'The request has ended.')
}
