/** The database of a File Browser installation (docs/api.md 9.6), with invented users. */
import { boltFile, type Items } from './bolt.ts'

/** The password of all users. */
export const PASSWORD = 'invented password'
export const BCRYPT = await Bun.password.hash(PASSWORD, { algorithm: 'bcrypt', cost: 4 })

const RIGHTS = {
  admin: false,
  execute: true,
  create: true,
  rename: true,
  modify: true,
  delete: true,
  share: true,
  download: true,
}

export function oldUser(id: number, username: string, more: object = {}): object {
  return {
    id,
    username,
    password: BCRYPT,
    scope: '.',
    locale: 'en',
    lockPassword: false,
    viewMode: 'mosaic',
    singleClick: false,
    redirectAfterCopyMove: true,
    perm: { ...RIGHTS, admin: id === 1 },
    commands: [],
    sorting: { by: 'name', asc: false },
    rules: [],
    hideDotfiles: false,
    dateFormat: false,
    aceEditorTheme: '',
    ...more,
  }
}

export interface OldParts {
  users?: object[]
  shares?: { hash: string }[]
  settings?: object
  server?: object
}

export function oldDatabase(parts: OldParts = {}, pageSize?: number): Buffer {
  return boltFile(oldBuckets(parts), pageSize)
}

export function oldBuckets({ users, shares = [], settings, server }: OldParts): Items {
  const codec: Items = [['codec', 'json']]
  return [
    [
      'config',
      [
        ['__storm_metadata', codec],
        ['version', '2'],
        ['settings', JSON.stringify({ ...SETTINGS, ...settings })],
        ['server', JSON.stringify({ ...SERVER, ...server })],
        ['auther', '{"recaptcha":null}'],
      ],
    ],
    [
      'User',
      [
        ['__storm_metadata', codec],
        ...(users ?? [oldUser(1, 'admin')]).map((user): Items[number] => {
          const key = Buffer.alloc(8)
          key.writeBigUInt64BE(BigInt((user as { id: number }).id))
          return [key, JSON.stringify(user)]
        }),
      ],
    ],
    [
      'Link',
      [
        ['__storm_metadata', codec],
        ...shares.map((share): Items[number] => [share.hash, JSON.stringify(share)]),
      ],
    ],
    ['__storm_db', [['version', '"2.0.0"']]],
  ]
}

const SETTINGS = {
  key: Buffer.alloc(64, 7).toString('base64'),
  signup: false,
  hideLoginButton: true,
  createUserDir: false,
  userHomeBasePath: '/users',
  defaults: {
    scope: '.',
    locale: 'en',
    viewMode: 'mosaic',
    singleClick: false,
    sorting: { by: '', asc: false },
    perm: RIGHTS,
    commands: [],
    hideDotfiles: false,
    dateFormat: false,
  },
  authMethod: 'json',
  branding: { name: '', disableExternal: false, files: '', theme: '', color: '' },
  tus: { chunkSize: 10_485_760, retryCount: 5 },
  commands: {},
  shell: [],
  rules: [],
  minimumPasswordLength: 12,
  fileMode: 416,
  dirMode: 488,
}

const SERVER = {
  root: '/srv',
  baseURL: '',
  socket: '',
  tlsKey: '',
  tlsCert: '',
  port: '8080',
  address: '127.0.0.1',
  log: 'stdout',
  enableThumbnails: true,
  resizePreview: true,
  enableExec: false,
  typeDetectionByHeader: true,
}
