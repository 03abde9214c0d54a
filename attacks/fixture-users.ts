/** Users with different permissions, and files that not all of them may see. */
import type { Permission } from '#wire/permissions.ts'

export const FIXTURE_PASSWORD = 'an invented long password'

const WRITER: Permission[] = ['create', 'rename', 'modify', 'delete']
const ALL: Permission[] = [...WRITER, 'share', 'download']

/** The users with their scopes, permissions and denied paths. */
export const FIXTURE_USERS: Record<
  string,
  { scope: string; permissions: Permission[]; deniedPaths?: string[] }
> = {
  alice: { scope: '/alice', permissions: ALL },
  bob: { scope: '/bob', permissions: ALL },
  nodl: { scope: '/alice', permissions: WRITER },
  creator: { scope: '/alice', permissions: ['create', 'download'] },
  ro: { scope: '/alice', permissions: ['download'] },
  ruled: { scope: '/ruled', permissions: ALL, deniedPaths: ['/private', '/docs/secret'] },
}

/** Each file contains a unique mark, by which a response with its content is recognised. */
export const FIXTURE_FILES = [
  'alice/own.txt',
  'alice/junk.txt',
  'alice/pub/in.txt',
  'alice/private/p.txt',
  'bob/secret.txt',
  'bob/secret.vtt',
  'ruled/private/secret.txt',
  'ruled/private_backup/x.txt',
  'ruled/docs/secret/deep.txt',
  'ruled/docs/open.txt',
  'ruled/free/a.txt',
]
