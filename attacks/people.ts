/** Who and what is there when attacks begin: people with different rights, and files that not all of them may see. */
import type { Permission } from '#wire/permissions.ts'

export const PASSWORD = 'an invented long password'

const WRITER: Permission[] = ['create', 'rename', 'modify', 'delete']
const ALL: Permission[] = [...WRITER, 'share', 'download']

/** The people of the catalogue: where they are at home, and what they may. */
export const PEOPLE: Record<string, { scope: string; may: Permission[]; deny?: string[] }> = {
  alice: { scope: '/alice', may: ALL },
  bob: { scope: '/bob', may: ALL },
  nodl: { scope: '/alice', may: WRITER },
  creator: { scope: '/alice', may: ['create', 'download'] },
  ro: { scope: '/alice', may: ['download'] },
  ruled: { scope: '/ruled', may: ALL, deny: ['/private', '/docs/secret'] },
}

/** Each file holds a unique mark: an answer with the mark shows the content of the file. */
export const FILES = [
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
