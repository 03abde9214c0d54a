/**
 * The executable for Windows under Wine. Wine 8 has no `bcryptprimitives.dll`, from which the runtime takes random bytes, so
 * one is built and put beside the executable.
 */
import { existsSync, linkSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { hasNativeModules } from '../../../scripts/native-packages.ts'
import { REPO_ROOT } from '../server/executable.ts'

const FOLDER = join(REPO_ROOT, 'dist/wine')
const TARGET = 'windows-x64'
const BUILT = join(REPO_ROOT, `dist/filemgr-${TARGET}.exe`)
const COMPILER = 'x86_64-w64-mingw32-gcc'
/** Debian has it outside of the path. */
const WINE_FOLDER = '/usr/lib/wine'

/**
 * The environment of a program under Wine: an installation of its own, without messages about what Wine lacks. Programs with
 * the same folder for temporary files see each other.
 */
export const WINE_ENV = {
  WINEPREFIX: join(FOLDER, 'prefix'),
  WINEDEBUG: '-all',
  TMPDIR: join(FOLDER, 'temporary'),
}

/** `ProcessPrng` over the function that Wine has. */
const RANDOM_BYTES = `
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T length) {
  return SystemFunction036(bytes, (ULONG)length);
}
`
/** Opens a file as some programs do, so that no other program can use it, until it is killed. */
const HOLDER = `
#include <windows.h>
#include <stdio.h>
int wmain(int count, wchar_t **words) {
  HANDLE file = CreateFileW(words[1], GENERIC_READ, 0, NULL, OPEN_EXISTING, 0, NULL);
  puts(file == INVALID_HANDLE_VALUE ? "failed" : "held");
  fflush(stdout);
  Sleep(INFINITE);
  return 0;
}
`
/** Prints the short name of a file (\`LONGNA~1.TXT\`). */
const SHORT_NAME = `
#include <windows.h>
#include <stdio.h>
int wmain(int count, wchar_t **words) {
  wchar_t path[MAX_PATH];
  GetShortPathNameW(words[1], path, MAX_PATH);
  wchar_t *name = path;
  for (wchar_t *at = path; *at; at++) if (*at == L'/' || *at == L'\\\\') name = at + 1;
  printf("%ls", name);
  return 0;
}
`

/** Why this machine cannot run the executable for Windows; undefined if it can. It builds nothing. */
export function noWine(): string | undefined {
  if (process.arch !== 'x64') return 'Wine runs it on x64 only.'
  if (!findWine()) return 'Wine is not installed (wine64).'
  if (!Bun.which(COMPILER)) return `${COMPILER} is not installed (gcc-mingw-w64-x86-64-win32).`
  return undefined
}

/**
 * Builds the executable, and prepares Wine.
 *
 * @returns why that is not possible without a network; undefined on success
 * @throws Error with the output of a program that failed for another reason
 */
export async function prepareWine(): Promise<string | undefined> {
  mkdirSync(WINE_ENV.TMPDIR, { recursive: true })
  const isBuilt = (hasNativeModules(TARGET) || reachesRegistry()) && (await buildExecutable())
  if (!isBuilt) return 'its parts cannot be downloaded.'
  compile(RANDOM_BYTES, 'bcryptprimitives.dll', ['-shared', '-ladvapi32'])
  compile(HOLDER, 'hold.exe', ['-municode'])
  compile(SHORT_NAME, 'short.exe', ['-municode'])
  rmSync(windowsProgram(), { force: true })
  linkSync(BUILT, windowsProgram())
  if (!existsSync(join(WINE_ENV.WINEPREFIX, 'system.reg'))) run([...inWine('wineboot'), '--init'])
  return undefined
}

/** The command line of a program for Windows. */
export function inWine(program: string): [string, ...string[]] {
  return [findWine() ?? '', program]
}

/** The executable of filemgr for Windows, with the library that it needs beside it. */
export function windowsProgram(): string {
  return join(FOLDER, 'filemgr.exe')
}

export function holder(): string {
  return join(FOLDER, 'hold.exe')
}

/** @returns the short name that Windows gives to a file; its name if it is short enough */
export function shortNameOf(path: string): string {
  return run([...inWine(join(FOLDER, 'short.exe')), path]).trim()
}

/** Ends the processes of this installation of Wine, also those that Wine has started itself. */
export function endWine(): void {
  Bun.spawnSync([join(WINE_FOLDER, 'wineserver'), '--kill'], { env: environment() })
}

function findWine(): string | null {
  return Bun.which('wine64', { PATH: `${process.env.PATH ?? ''}:${WINE_FOLDER}` })
}

/** npm itself would try for minutes. */
function reachesRegistry(): boolean {
  const args = ['npm', 'ping', '--fetch-retries=0', '--fetch-timeout=10000']
  return Bun.spawnSync(args, { stdout: 'ignore', stderr: 'ignore' }).success
}

/** @returns false if a part cannot be downloaded */
async function buildExecutable(): Promise<boolean> {
  const hasInterface = existsSync(join(REPO_ROOT, 'ui/dist/index.html'))
  const same = hasInterface ? ['--same-interface'] : []
  const args = [process.execPath, 'scripts/build.ts', '--target', TARGET, ...same]
  const build = Bun.spawn(args, { cwd: REPO_ROOT, stdout: 'ignore', stderr: 'pipe' })
  const output = await new Response(build.stderr).text()
  if ((await build.exited) === 0) return true
  if (/Failed to download|npm cannot install/.test(output)) return false
  throw new Error(output)
}

function compile(source: string, name: string, options: readonly string[]): void {
  const args = [COMPILER, '-x', 'c', '-O1', '-o', join(FOLDER, name), '-', ...options]
  run(args, Buffer.from(source))
}

/** @returns its output. @throws Error with the output of its errors */
function run(args: string[], input: Buffer | 'ignore' = 'ignore'): string {
  const { success, stdout, stderr } = Bun.spawnSync(args, { env: environment(), stdin: input })
  if (!success) throw new Error(`${args.join(' ')}: ${stderr}`)
  return String(stdout)
}

function environment(): Record<string, string> {
  const { PATH = '', HOME = '/' } = process.env
  return { PATH, HOME, ...WINE_ENV }
}
