/**
 * A worker thread for one file system, which touches what the thread that serves requests must not: a file system may not
 * answer, and a request that asks it waits.
 */
import { type DeviceFailure, taskFailureOf } from './device-failure.ts'
import { type Check, type DeviceRoot, DeviceTasks } from './device-tasks.ts'

declare const self: Worker

export type TaskName = Exclude<keyof DeviceTasks, 'takeChecks'>
export type TaskResult<Name extends TaskName> = ReturnType<DeviceTasks[Name]>
export type TaskArguments<Name extends TaskName> = Parameters<DeviceTasks[Name]>

export type DeviceRequest = DeviceRoot | { task: TaskName; args: readonly unknown[] }

export type DeviceResponse = { checks: Check[] } & (
  | { result: unknown }
  | { failure: DeviceFailure }
)

let tasks: DeviceTasks | undefined

self.onmessage = ({ data }: MessageEvent<DeviceRequest>) => {
  if (!('task' in data)) {
    tasks = new DeviceTasks(data)
    return
  }
  try {
    const run = tasks?.[data.task] as ((...args: readonly unknown[]) => unknown) | undefined
    const result = run?.apply(tasks, [...data.args])
    post({ result, checks: tasks?.takeChecks() ?? [] }, buffersOf(result))
  } catch (error) {
    post({ failure: taskFailureOf(error), checks: tasks?.takeChecks() ?? [] })
  }
}

function post(response: DeviceResponse, transfer: ArrayBuffer[] = []): void {
  self.postMessage(response, transfer)
}

/** The buffers of bytes and of the records of a folder are handed over instead of copied. */
function buffersOf(result: unknown): ArrayBuffer[] {
  if (result instanceof Uint8Array) return [result.buffer as ArrayBuffer]
  if (typeof result !== 'object' || result === null || !('records' in result)) return []
  return Object.values(result.records as Record<string, Uint8Array<ArrayBuffer>>).map(
    ({ buffer }) => buffer,
  )
}
