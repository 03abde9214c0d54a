/** What a jail is told: the orders of the server to the process that becomes somebody's program. */
import { z } from 'zod'

/**
 * How much stands between a program and the rest of the machine.
 *
 * - `root`: a file tree of its own, in which nothing else exists; Landlock; the call filter.
 * - `landlock`: Landlock and a stricter call filter. Programs can ask whether a path outside exists.
 * - `none`: the operator's explicit word; a built environment and limits remain.
 */
const ISOLATION_KINDS = ['root', 'landlock', 'none'] as const
export type Isolation = (typeof ISOLATION_KINDS)[number]

/** The environment variable that carries the policy to the process that is to be jailed. */
export const POLICY_VARIABLE = 'FILEMGR_JAIL'

/**
 * The runtime that builds the jail stays in one thread: only such a process may enter a user namespace
 * of its own (unshare(2)).
 */
export const ONE_THREAD = {
  BUN_JSC_useConcurrentGC: '0',
  BUN_JSC_useConcurrentJIT: '0',
  BUN_JSC_numberOfGCMarkers: '1',
  BUN_JSC_useWarmUpMarkedBlocks: '0',
  BUN_FEATURE_FLAG_DISABLE_ASYNC_TRANSPILER: '1',
  MIMALLOC_PURGE_DELAY: '-1',
}

/** Processes that stand beside a program behind the walls `root`: see supervisor.ts. */
export const HELPER_PROCESSES = 2

/** The descriptor under which a jail finds the top folder it works in. */
export const TOP_FD = 3

export const policyShape = z.object({
  isolation: z.enum(ISOLATION_KINDS),
  /** Of the server: a jail whose server is gone ends. */
  parent: z.number().int(),
  /** Program and arguments; empty builds the jail and ends, to see whether it can be built. */
  argv: z.array(z.string()),
  /** All of the program's environment. */
  env: z.record(z.string(), z.string()),
  /** The top folder's path on the disk, and where in it the program starts. */
  top: z.string(),
  folder: z.string(),
  /** Of the folder, the one file that the program may read; it may then write nothing anywhere. */
  only: z.string().optional(),
  /** Folders below the top that the program must not see. */
  hidden: z.array(z.string()),
  /** An empty folder for the program's temporary files, and one for the jail's own root. */
  temporary: z.string(),
  newRoot: z.string(),
  /** A control group to be made, which bounds the number of processes; none where there can be none. */
  group: z.string().optional(),
  terminal: z.boolean(),
  network: z.boolean(),
  limits: z.object({
    /** 0 is no limit, here and for files. */
    cpuSec: z.number(),
    memoryBytes: z.number(),
    processes: z.number(),
    fileBytes: z.number(),
  }),
})
export type Policy = z.infer<typeof policyShape>

/** What every program may read and run. The served folder must not lie in them, nor they in it. */
export const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']

/** What of /etc programs need: their loader, their time zone, their certificates, their fonts. */
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
]

/** With the network: how names become addresses. */
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

/** Where programs are looked for; never where people put files. */
export const PROGRAM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
