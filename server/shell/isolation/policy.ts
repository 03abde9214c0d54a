/** The policy that the server passes to the process that becomes a user's program. */
import { z } from 'zod'

/**
 * The levels of isolation.
 * - `root`: a private root with nothing else in it; Landlock; the call filter.
 * - `landlock`: Landlock and a stricter call filter. Programs can test whether an outside path exists.
 * - `none`: on the operator's explicit request; only the clean environment, the limits, and the calls that the filter
 *   refuses to every program remain.
 */
const ISOLATION_KINDS = ['root', 'landlock', 'none'] as const
export type Isolation = (typeof ISOLATION_KINDS)[number]

/** The environment variable that carries the policy. */
export const POLICY_VARIABLE = 'FILEMGR_JAIL'

/** Keeps the runtime in one thread: only a single-threaded process may enter a user namespace (unshare(2)). */
export const ONE_THREAD = {
  BUN_JSC_useConcurrentGC: '0',
  BUN_JSC_useConcurrentJIT: '0',
  BUN_JSC_numberOfGCMarkers: '1',
  BUN_JSC_useWarmUpMarkedBlocks: '0',
  BUN_FEATURE_FLAG_DISABLE_ASYNC_TRANSPILER: '1',
  MIMALLOC_PURGE_DELAY: '-1',
}

/** Helper processes beside a program with the isolation `root`: see supervisor.ts. */
export const HELPER_PROCESSES = 2

/** The inherited descriptor of the root folder. */
export const ROOT_FD = 3

export const policyShape = z.object({
  isolation: z.enum(ISOLATION_KINDS),
  /** The server's pid: the program ends with its server. */
  parent: z.number().int(),
  /** Program and arguments; empty only tests the isolation. */
  argv: z.array(z.string()),
  /** The complete environment of the program. */
  env: z.record(z.string(), z.string()),
  /** The root folder's path on the disk, and the folder in it to start in. */
  rootFolder: z.string(),
  folder: z.string(),
  /** The one file of the folder that the program may read; without a workspace it may then write nothing. */
  only: z.string().optional(),
  /**
   * The size of a workspace in memory: a temporary folder for a program that may read only one file. Its processes
   * may use unix sockets, and reach no others by them. Needs the isolation `root`.
   */
  workspaceBytes: z.number().optional(),
  /** Folders below the root folder that must be hidden from the program. */
  hidden: z.array(z.string()),
  /** Mount points below it whose disk does not respond. The program cannot enter them, and nothing touches them. */
  silent: z.array(z.string()),
  /** An empty folder for the program's temporary files, and one for the private root. */
  temporary: z.string(),
  newRoot: z.string(),
  /** The cgroup to create, which limits the number of processes; absent if there is none. */
  group: z.string().optional(),
  terminal: z.boolean(),
  network: z.boolean(),
  limits: z.object({
    /** 0 means no limit, here and for files. */
    cpuSec: z.number(),
    memoryBytes: z.number(),
    processes: z.number(),
    fileBytes: z.number(),
  }),
})
export type Policy = z.infer<typeof policyShape>

/** What every program may read and execute. The served folder must not be inside them, nor contain them. */
export const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']

/** Files of /etc that programs need: loader, time zone, certificates, fonts, settings. */
export const SYSTEM_FILES = [
  '/etc/ld.so.cache',
  '/etc/localtime',
  '/etc/alternatives',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
  '/etc/mime.types',
  '/etc/magic',
  '/etc/terminfo',
  '/etc/inputrc',
  '/etc/fonts',
  '/etc/ImageMagick-6',
  '/etc/ImageMagick-7',
  '/etc/libreoffice',
]

/** With network access: files for name resolution. */
export const NETWORK_FILES = [
  '/etc/hosts',
  '/etc/resolv.conf',
  '/etc/nsswitch.conf',
  '/etc/host.conf',
  '/etc/services',
  '/etc/protocols',
  '/etc/gai.conf',
]

export const DEVICES = ['/dev/null', '/dev/zero', '/dev/full', '/dev/random', '/dev/urandom']
export const TERMINAL_DEVICES = ['/dev/tty']

/** The search path of programs; no folder in it is writable by users. */
export const PROGRAM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
