/**
 * A thread that changes one file system, and describes and keeps what is changed. It has a storage of its own for the same
 * served folder. While the file system does not answer, only this thread waits.
 */
import { FlushQueue } from '#server/flush/flush-queue.ts'
import { OwnFlusher } from '#server/flush/own-flusher.ts'
import type { NameIndex } from '#server/storage/names.ts'
import type { PathCheck } from '#server/storage/storage.ts'
import { ROOT } from '#wire/paths.ts'
import { LocalStorage } from '../local-storage.ts'
import { Callbacks } from './change-callbacks.ts'
import type { CallView, ChangeStart, ThreadRequest, ThreadResponse } from './change-calls.ts'
import { CHANGE_TASKS } from './change-tasks.ts'

declare const self: Worker

let opening: Promise<LocalStorage> | undefined
let callbacks: Callbacks | undefined
const watches = new Map<number, Disposable>()

self.onmessage = ({ data }: MessageEvent<ThreadRequest>) => {
  if ('root' in data) opening = open(data)
  else if ('ping' in data) post({ pong: data.ping })
  else if ('answerTo' in data) callbacks?.answer(data)
  else if ('unwatch' in data) endWatch(data.unwatch)
  else if ('isEnd' in data) void end()
  else void run(data)
}

function post(response: ThreadResponse): void {
  self.postMessage(response)
}

async function open(start: ChangeStart): Promise<LocalStorage> {
  callbacks = new Callbacks(start.reply, post)
  const { fileMode, folderMode, ownPaths, processFolder, device } = start
  const storage = await LocalStorage.open(`/proc/self/fd/${start.root}`, {
    fileMode,
    folderMode,
    ownPaths,
    device: { id: device, processFolder },
    flushes: new FlushQueue({ relaxed: start.isRelaxed }, new OwnFlusher()),
    ...callbacks.optionsOf(start.options),
  })
  storage.attachIndex(REPORTING)
  return storage
}

/** The index is in the other thread. */
const REPORTING: NameIndex = {
  changed: (paths) => post({ changed: paths }),
  find: async () => undefined,
  sizes: async () => undefined,
}

async function run({ call, name, view, args }: Extract<ThreadRequest, { call: number }>) {
  const scope = callbacks?.begin()
  if (!scope || !opening) return
  try {
    const storage = viewOf(await opening, view, scope.checkPath(view.checkPath))
    const task = CHANGE_TASKS[name] as (...args: unknown[]) => unknown
    const value = await task(storage, ...args.map((arg) => scope.withFunctions(arg)))
    if (name === 'watch') watches.set(call, value as Disposable)
    post({ call, value: name === 'watch' ? undefined : value, steps: scope.steps })
  } catch (error) {
    post({ call, failure: scope.failureOf(error), steps: scope.steps })
  }
}

function viewOf(
  root: LocalStorage,
  { folders, followsLinks }: CallView,
  checkPath: PathCheck | undefined,
): LocalStorage {
  const options = { checkPath, ...(followsLinks ? {} : { followsLinks }) }
  let view = root.within(ROOT, options)
  for (const { path, isExact } of folders) view = view.within(path, { isExact })
  return view
}

function endWatch(call: number): void {
  watches.get(call)?.[Symbol.dispose]()
  watches.delete(call)
}

async function end(): Promise<void> {
  const storage = await opening?.catch(() => undefined)
  storage?.close()
  post({ isEnded: true })
}
