/** Disk usage of the storage. */
import type { UserUsage } from '#wire/api/entry.ts'
import { urls } from '#wire/api/routes.ts'
import type { TreePath } from '#wire/paths.ts'
import { requestJson } from '../client/request.ts'

/** @returns used, free and total bytes of the file system that contains `folder` */
export function usage(folder: TreePath, signal?: AbortSignal): Promise<UserUsage> {
  return requestJson<UserUsage>(urls.usage(folder), { signal })
}
