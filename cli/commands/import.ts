/** filemgr import: imports an installation of File Browser, completely or not at all. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Core } from '#server/core.ts'
import { readOldInstallation } from '#server/takeover/old-installation.ts'
import { type ImportPlan, planImport } from '#server/takeover/plan.ts'
import { runImport } from '#server/takeover/run-import.ts'
import { withCore } from '../core.ts'
import type { Io } from '../io.ts'
import { addOptions, type Flags, isLocationOption } from '../options.ts'
import { printReport } from '../takeover-report.ts'
import { refuseAll } from './users-import-export.ts'

export function importCommand(program: Command, io: Io): void {
  const command = program
    .command('import')
    .description('import users, shares, rules and settings of File Browser; all or nothing')
    .argument(
      '<files...>',
      'its database, or the files that its `config export` and `users export` wrote',
    )
    .option('--dry-run', 'print what would change, and change nothing')
    .option('--overwrite', 'replace users with the same id, and shares with the same link')
    .option('--json', 'print JSON')
    .action((files: string[], flags: Flags) => run(files, flags, io))
    .addHelpText(
      'after',
      `
Examples:
  filemgr import filebrowser.db --dry-run
  filemgr import filebrowser.db --root /srv/files
  filemgr import config.json users.json`,
    )
  addOptions(command, (option) => option.key === 'root' || isLocationOption(option), io)
}

/** @throws Fault with a message for each problem; nothing is changed then */
async function run(files: string[], flags: Flags, io: Io): Promise<void> {
  const paths = files.map((file) => resolve(file))
  const old = readOldInstallation(paths)
  const isDryRun = flags.dryRun === true
  const importOrTest = async (core: Core, dryRun: boolean) => {
    const plan = planFor(old, core)
    const overwrite = flags.overwrite === true
    const { done, problems } = await runImport(core, plan, { overwrite, dryRun })
    refuseAll(problems, paths.join(', '))
    return { plan, done }
  }
  const carryOut = async (core: Core) => {
    const { plan, done } = await importOrTest(core, isDryRun)
    if (flags.json === true) io.out(JSON.stringify({ done, report: plan.report }, null, 2))
    else if (done === 'taken') printReport(plan.report, io.out)
    if (done === 'already') io.err('This was imported before. Nothing was changed.')
    else if (isDryRun) io.err('Nothing was changed.')
    else io.err(`Imported ${paths.join(', ')}.`)
  }
  // Checked without a database first, so that a refused import does not create one.
  if (!isDryRun) {
    await withCore(io, flags, (core) => importOrTest(core, true), { isDryRun: true })
  }
  await withCore(io, flags, carryOut, { isDryRun, takesOver: true })
}

const EXEC_IS_ON =
  'Commands are on here (exec), so the imported ones would run before you have read them. Set exec to false, restart a running server, and import again.'

const ROOT_WITHOUT_SETTINGS =
  'The files contain no settings, so --root would not be stored. Set the root by `filemgr config set --root`, and import without --root.'

/** A root on the command line overrides that of the old installation, and is stored with its settings. */
function planFor(old: ReturnType<typeof readOldInstallation>, { config }: Core): ImportPlan {
  const origin = config.settings.get('root')?.origin
  const root = origin === 'default' || origin === 'database' ? undefined : config.text('root')
  const isExecOn = config.flag('exec')
  const plan = planImport(old, { nowSec: Math.floor(Date.now() / 1000), root, isExecOn })
  if (isExecOn && plan.hasCommands) plan.problems.push(EXEC_IS_ON)
  if (origin === 'flag' && root !== undefined) {
    if (!plan.settings) plan.problems.push(ROOT_WITHOUT_SETTINGS)
    else {
      const others = plan.settings.startup.filter(([key]) => key !== 'root')
      plan.settings.startup = [...others, ['root', resolve(root)]]
    }
  }
  return plan
}
