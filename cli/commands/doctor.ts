/** filemgr doctor: checks the security of an installation. */
import type { Command } from 'commander'
import { runAttacks, skippedClasses } from '#attacks/suite.ts'
import type { Config } from '#server/config/config.ts'
import { databaseText } from '#server/config/database-address.ts'
import { loadConfig } from '#server/config/load.ts'
import { ownCommand } from '#server/config/own-command.ts'
import { type Core, databaseExists } from '#server/core.ts'
import { isExecutable } from '#server/os/executable.ts'
import { parsePublicAddress } from '#server/settings/public-address.ts'
import { Fault } from '#wire/fault.ts'
import { configSources } from '../config.ts'
import { withCore } from '../core.ts'
import { addressFindings } from '../doctor/address-checks.ts'
import { configFindings } from '../doctor/config-checks.ts'
import { type Finding, ok, problem, warning } from '../doctor/finding.ts'
import { isolationFindings, machineFindings } from '../doctor/machine-checks.ts'
import { pathFindings } from '../doctor/path-checks.ts'
import { servedRootFindings } from '../doctor/root-checks.ts'
import { signInFindings } from '../doctor/sign-in-checks.ts'
import {
  type InstallationFolder,
  installationDatabase,
  installationFolder,
} from '../installation.ts'
import type { Io } from '../io.ts'
import { addOptions, type Flags } from '../options.ts'
import { publicAddressAdvice } from '../public-address.ts'

export function doctorCommand(program: Command, io: Io): void {
  const command = program
    .command('doctor')
    .description('check the configuration for problems, and print how to fix them')
    .argument('[root]', 'the served folder')
    .option(
      '--url <url>',
      'the public URL of the server, if it is not in the settings; doctor sends requests to it through any proxy',
    )
    .option(
      '--attack',
      'start a server on a temporary folder and run every known attack against it',
    )
    .option('--json', 'print JSON')
    .action((root: string | undefined, flags: Flags) =>
      flags.attack === true ? attack(io) : examine(io, root, flags),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  filemgr doctor /srv/files --url https://files.example.org\n  filemgr doctor --attack',
    )
  addOptions(command, (option) => !option.isLive, io)
}

const LEVEL_LABELS = { fine: 'ok      ', warning: 'WARNING ', problem: 'PROBLEM ' } as const

/** @throws Fault badRequest (`--url` is no URL), internal (there is a problem) */
async function examine(io: Io, root: string | undefined, flags: Flags): Promise<void> {
  if (typeof flags.url === 'string' && !isHttpUrl(flags.url)) {
    throw new Fault('badRequest', '--url must be a URL such as https://files.example.org.')
  }
  const allFlags = root === undefined ? flags : { ...flags, 'option:root': root }
  const { folder, database } = await findInstallation(io, allFlags)
  const { config, findings: installationFindings } = await readInstallation(io, {
    ...allFlags,
    'option:root': folder.path,
  })
  const findings = [
    ...installationChecked(folder, database),
    ...machineFindings(config),
    ...(await isolationFindings(config)),
    ...pathFindings(config),
    ...signInFindings(config),
    ...installationFindings,
  ]
  if (flags.json === true) io.out(JSON.stringify(findings, null, 2))
  else
    for (const { level, what, advice } of findings) {
      io.out(`${LEVEL_LABELS[level]} ${what}${advice ? `\n         ${advice}` : ''}`)
    }
  const problems = findings.filter(({ level }) => level === 'problem').length
  if (problems > 0)
    throw new Fault('internal', `${problems} problem${problems > 1 ? 's' : ''} must be fixed.`)
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\/[^/]/i.test(text) && URL.canParse(text)
}

/** The folder and the database to check, without creating one. */
async function findInstallation(
  io: Io,
  flags: Flags,
): Promise<{ folder: InstallationFolder; database: string }> {
  const config = loadConfig(configSources(io, flags))
  const database = installationDatabase(config)
  if (!(await databaseExists(config.paths.database)))
    return { folder: await installationFolder(config, undefined), database }
  const folder = await withCore(io, flags, (core) => installationFolder(core.config, core))
  return { folder, database }
}

/** What is checked. If no folder is named, the working folder is often not the one that is meant. */
function installationChecked(
  { path, from, isGuessed, wasServed }: InstallationFolder,
  database: string,
): Finding[] {
  const state = wasServed ? '' : ' It was not served yet.'
  const folder = isGuessed
    ? warning(
        `No folder is named, so this checks the working folder ${path}.${state}`,
        'Name the folder that is served: filemgr doctor FOLDER. With --database you name its database.',
      )
    : ok(`This checks the folder ${path} (${from}).${state}`)
  return [folder, ok(`It uses the database ${database}.`)]
}

/** The options, with those in the database, and checks of the database, without creating one. */
async function readInstallation(
  io: Io,
  flags: Flags,
): Promise<{ config: Config; findings: Finding[] }> {
  const config = loadConfig(configSources(io, flags))
  const { database } = config.paths
  if (!(await databaseExists(database))) {
    const serve = ownCommand(config, ['serve', 'FOLDER'])
    const advice = `The first start creates it: ${serve}. With --database you name another one.`
    const what = database.kind === 'file' ? 'There is no database at' : 'There are no tables in'
    return { config, findings: [problem(`${what} ${databaseText(database)}.`, advice)] }
  }
  return withCore(io, flags, async (core) => ({
    config: core.config,
    findings: [
      ...(await configFindings(core)),
      ...(await core.databaseNotices()).map(({ what, advice }) => warning(what, advice)),
      ...(await servedRootFindings(core)),
      ...(await publicAddressFindings(core, flags)),
    ],
  }))
}

/** Checks the URL of `--url`, else the public address in the settings. */
async function publicAddressFindings(core: Core, { url }: Flags): Promise<Finding[]> {
  const { publicAddress } = core.settings.get()
  const examined = typeof url === 'string' ? url : publicAddress
  if (examined === '')
    return [
      ok(
        `The public address is not set. ${publicAddressAdvice(core.config, await core.lastServed.url())}`,
      ),
    ]
  const findings = await addressFindings(core, examined)
  if (publicAddress === '' || parsePublicAddress(examined) === publicAddress) return findings
  const difference = `The public address in the settings is ${publicAddress}.`
  return [warning(difference, 'Set the address that browsers use.'), ...findings]
}

/** @throws Fault internal if an attack succeeded, or its legitimate counterpart did not work */
async function attack(io: Io): Promise<void> {
  const outcomes = runAttacks(ownCommandLine())
  let [tried, successes] = [0, 0]
  let next = await outcomes.next()
  for (; !next.done; next = await outcomes.next()) {
    const { attackCase, breach } = next.value
    tried += 1
    if (breach !== undefined) successes += 1
    io.out(
      `${attackCase.id}  ${breach === undefined ? 'blocked  ' : 'SUCCEEDED'}  ${attackCase.attack}`,
    )
    if (breach !== undefined) io.out(`      ${breach}`)
  }
  io.out(
    `${tried} attacks in ${next.value} requests: ${tried - successes} blocked, ${successes} succeeded`,
  )
  for (const line of skippedClasses()) io.out(`Not run: ${line}.`)
  if (successes > 0) throw new Fault('internal', 'At least one attack succeeded. Please report it.')
}

/** The command line that starts this program again: the executable, or the sources with their runtime. */
function ownCommandLine(): string[] {
  return isExecutable() ? [process.execPath] : [process.execPath, Bun.main]
}
