/** Disk usage of the storage. */
import type { Usage } from '#wire/api/entry.ts'
import { urls } from '#wire/api/routes.ts'
import type { TreePath } from '#wire/paths.ts'
import { requestJson } from '../client/request.ts'

/** @returns used, free and total bytes of the file system that contains `folder` */
export function usage(folder: TreePath, signal?: AbortSignal): Promise<Usage> {
  return requestJson<Usage>(urls.usage(folder), { signal })
}
