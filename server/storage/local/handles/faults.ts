/** Converts the errors of file operations to Faults. */

import { diskFull } from '#server/lib/common-faults.ts'
import { errnoOf, syscallOf } from '#server/os/errno.ts'
import { Fault, type FaultCode, type FaultReason } from '#wire/fault.ts'

type FaultOfErrno = readonly [FaultCode, string, FaultReason?]

const SYSTEM_DENIES: FaultOfErrno = [
  'forbidden',
  'The server has no permission for this file or folder.',
  'systemDenies',
]

const NAME_REFUSED: FaultOfErrno = [
  'badRequest',
  'The file system does not accept this name.',
  'nameRefused',
]

const FAULT_BY_ERRNO: Record<string, FaultOfErrno> = {
  ENOENT: ['notFound', 'There is no file or folder with this name.'],
  EACCES: SYSTEM_DENIES,
  EPERM: SYSTEM_DENIES,
  EXDEV: ['unsupported', 'The file system cannot rename this.'],
  ELOOP: ['outside', 'Too many levels of symbolic links.'],
  EEXIST: ['conflict', 'The name is already taken.'],
  ENOTEMPTY: ['conflict', 'The name is already taken.'],
  ENOTDIR: ['notDirectory', 'This is not a folder.'],
  EISDIR: ['isDirectory', 'This is a folder.'],
  ENAMETOOLONG: ['badRequest', 'The name, or its whole path, is too long.', 'nameTooLong'],
  EINVAL: NAME_REFUSED,
  EILSEQ: NAME_REFUSED,
  EDQUOT: ['noSpace', 'The quota is used up.'],
  EFBIG: ['tooLarge', 'The file is too large for this file system.'],
  EROFS: ['readOnly', 'This folder can only be read.'],
  EBUSY: ['locked', 'The system is using this.'],
  // Another program holds a lease, as file servers do (F_SETLEASE of fcntl(2)).
  EAGAIN: ['locked', 'Another program is using this file. Try again later.'],
  ETXTBSY: ['locked', 'The system is using this.'],
  EMFILE: ['unavailable', 'The server has too many files open.'],
  ENFILE: ['unavailable', 'The server has too many files open.'],
  // A socket, or a pipe that no program reads.
  ENXIO: ['unsupported', 'This is not a regular file.'],
}

/** What Windows reports with EPERM: a program uses what is replaced or removed, or it is read-only. */
const USED_OR_PROTECTED: FaultOfErrno = [
  'locked',
  'Another program is using this, or Windows protects it.',
]
/** Other meanings on Windows, of all calls or of one. EBUSY: another program does not share its open file. */
const WINDOWS_FAULTS: Record<string, FaultOfErrno> = {
  EBUSY: ['locked', 'Another program is using this file. Try again later.'],
  'rename EPERM': USED_OR_PROTECTED,
  'unlink EPERM': USED_OR_PROTECTED,
  'rmdir EPERM': USED_OR_PROTECTED,
}

/** The calls that report with EXDEV that a path leads outside: openat2(2), and its replacement where it is missing. */
const RESOLVING = ['openat2', 'walk']

/** Maps any error of the storage to a Fault. Unknown errors become `internal` with their cause. */
export function toFault(error: unknown, platform = process.platform): Fault {
  if (error instanceof Fault) return error
  const errno = errnoOf(error)
  if (leadsOutside(error)) {
    return new Fault('outside', 'This symbolic link leads outside your folder.', {
      cause: error,
      errno: 'EXDEV',
    })
  }
  if (errno === 'ENOSPC') return diskFull({ cause: error, errno })
  const known = errno === undefined ? undefined : faultOf(errno, syscallOf(error), platform)
  if (errno && known) {
    const [code, message, reason] = known
    return new Fault(code, message, { cause: error, errno, ...(reason && { reason }) })
  }
  return new Fault('internal', 'The file system failed. The log of the server says why.', {
    cause: error,
  })
}

function faultOf(errno: string, syscall = '', platform: NodeJS.Platform): FaultOfErrno | undefined {
  const onWindows = WINDOWS_FAULTS[`${syscall} ${errno}`] ?? WINDOWS_FAULTS[errno]
  return (platform === 'win32' ? onWindows : undefined) ?? FAULT_BY_ERRNO[errno]
}

/** Whether a path leads outside. A rename reports with the same number that the file system cannot do it. */
function leadsOutside(error: unknown): boolean {
  return errnoOf(error) === 'EXDEV' && RESOLVING.includes(syscallOf(error) ?? '')
}

/** Runs storage work and converts its errors to Faults. Errors of the database, which records changes, stay. */
export async function withFaults<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isOfDatabase(error) ? error : toFault(error)
  }
}

function isOfDatabase(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^(SQLITE|POSTGRES)_/.test(error.code)
  )
}

/** For a path of the server's own files. */
export function reservedPath(): Fault {
  return new Fault('forbidden', 'This path is reserved for the server.', { reason: 'nameReserved' })
}

/** For a recorded path of which a folder is a symbolic link now. */
export function replacedByLink(): Fault {
  return new Fault('outside', 'A symbolic link has replaced a folder of this path.')
}

export function notFound(): Fault {
  return new Fault('notFound', 'There is no file or folder with this name.')
}

/** For content of the trash. */
export function notMounted(): Fault {
  return new Fault(
    'unavailable',
    'The content is on a file system that is not mounted. Mount it, then try again.',
    { reason: 'notMounted' },
  )
}
