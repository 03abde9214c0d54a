/**
 * Every option, once. Flags, environment names, file keys and help are all read from this table.
 *
 * `boot` options belong to the operator and hold as long as the process runs. `live` options are
 * seeded from the lower layers at the first start; afterwards they belong to the settings screen.
 */
export type OptionType = 'text' | 'number' | 'flag' | 'size' | 'duration' | 'mode' | 'words'

export interface Option {
  key: string
  type: OptionType
  /** As a person would write it; absent means unset. */
  default?: string
  short?: string
  /** Shown in help in place of a value. */
  value?: string
  help: string
  owner: 'boot' | 'live'
  /** The least and the most a number may be. */
  range?: readonly [number, number]
  choices?: readonly string[]
}

export const OPTIONS = [
  {
    key: 'root',
    type: 'text',
    short: 'r',
    value: 'folder',
    default: '.',
    help: 'the folder to serve',
    owner: 'boot',
  },
  {
    key: 'address',
    type: 'text',
    short: 'a',
    default: '127.0.0.1',
    help: 'the address to listen on; 0.0.0.0 is every interface',
    owner: 'boot',
  },
  {
    key: 'port',
    type: 'number',
    short: 'p',
    default: '8080',
    range: [0, 65_535],
    help: 'the port to listen on; 0 picks a free one',
    owner: 'boot',
  },
  {
    key: 'baseURL',
    type: 'text',
    short: 'b',
    value: '/prefix',
    default: '',
    help: 'the path under which a proxy publishes filemgr',
    owner: 'boot',
  },
  {
    key: 'database',
    type: 'text',
    short: 'd',
    value: 'file',
    help: 'the database file (default: filemgr.db in your data folder)',
    owner: 'boot',
  },
  {
    key: 'cacheDir',
    type: 'text',
    value: 'folder',
    help: 'where previews are kept (default: filemgr in your cache folder)',
    owner: 'boot',
  },
  {
    key: 'cacheSize',
    type: 'size',
    default: '512MB',
    help: 'how much room previews may take; 0 keeps none',
    owner: 'boot',
  },
  {
    key: 'username',
    type: 'text',
    default: 'admin',
    help: 'the name of the administrator made at the first start',
    owner: 'boot',
  },
  {
    key: 'passwordHash',
    type: 'text',
    value: 'hash',
    help: 'that administrator’s password, hashed by `filemgr hash`; a random one when absent',
    owner: 'boot',
  },
  {
    key: 'tokenExpirationTime',
    type: 'duration',
    default: '2h',
    help: 'how long a session lasts without renewal',
    owner: 'boot',
  },
  {
    key: 'uploadLimit',
    type: 'size',
    default: '0',
    help: 'the largest file a person may send; 0 is no limit',
    owner: 'boot',
  },
  {
    key: 'uploadExpiry',
    type: 'duration',
    default: '24h',
    help: 'how long an unfinished upload is kept',
    owner: 'boot',
  },
  {
    key: 'stallTimeout',
    type: 'duration',
    default: '60s',
    range: [5, 255],
    help: 'how long a silent connection is kept; an upload cut off by it can be resumed',
    owner: 'boot',
  },
  {
    key: 'fileMode',
    type: 'mode',
    default: '0640',
    help: 'permission bits of new files',
    owner: 'boot',
  },
  {
    key: 'dirMode',
    type: 'mode',
    default: '0750',
    help: 'permission bits of new folders',
    owner: 'boot',
  },
  {
    key: 'log',
    type: 'text',
    default: 'stderr',
    choices: ['stderr', 'stdout', 'off'],
    help: 'where a line for each refused or failed request goes',
    owner: 'boot',
  },
  {
    key: 'minimumPasswordLength',
    type: 'number',
    default: '12',
    range: [1, 1024],
    help: 'the shortest password a person may choose, in characters',
    owner: 'live',
  },
  {
    key: 'branding.name',
    type: 'text',
    default: '',
    help: 'the name shown in place of filemgr',
    owner: 'live',
  },
  {
    key: 'branding.theme',
    type: 'text',
    default: '',
    choices: ['', 'light', 'dark'],
    help: 'the look; empty follows each person’s system',
    owner: 'live',
  },
  {
    key: 'branding.color',
    type: 'text',
    default: '',
    help: 'the accent, as a CSS colour',
    owner: 'live',
  },
  {
    key: 'branding.disableExternal',
    type: 'flag',
    default: 'false',
    help: 'hide links that lead elsewhere',
    owner: 'live',
  },
  {
    key: 'branding.disableUsedPercentage',
    type: 'flag',
    default: 'false',
    help: 'hide how full the disk is',
    owner: 'live',
  },
  {
    key: 'tus.chunkSize',
    type: 'size',
    default: '10MB',
    range: [1, 2 ** 40],
    help: 'bytes a browser sends in one request of a resumable upload',
    owner: 'live',
  },
  {
    key: 'tus.retryCount',
    type: 'number',
    default: '5',
    range: [0, 100],
    help: 'how often a browser tries a failed request of an upload again',
    owner: 'live',
  },
] as const satisfies readonly Option[]

export type OptionKey = (typeof OPTIONS)[number]['key']

/** The row of a key. @returns undefined for a word that is no option */
export function findOption(key: string): Option | undefined {
  return OPTIONS.find((option) => option.key.toLowerCase() === key.toLowerCase())
}

/** `tokenExpirationTime` is the flag `--token-expiration-time`, `branding.name` is `--branding.name`. */
export function flagOf(key: string): string {
  return key.replace('URL', 'Url').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** `tokenExpirationTime` is `FILEMGR_TOKEN_EXPIRATION_TIME`, `branding.name` is `FILEMGR_BRANDING_NAME`. */
export function envOf(key: string): string {
  return `FILEMGR_${flagOf(key).replace(/[-.]/g, '_').toUpperCase()}`
}
