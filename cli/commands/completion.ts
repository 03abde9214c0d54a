/** filemgr completion: prints a shell script that asks the program for completions. */
import { Argument, type Command } from 'commander'
import type { Io } from '../io.ts'

/** The script for each shell. It passes the words of the command line after `--`; the last one is incomplete. */
const SCRIPTS = {
  bash: `_filemgr() {
  local words
  words=$(filemgr complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _filemgr filemgr`,
  zsh: `#compdef filemgr
_filemgr() {
  local -a found
  found=(\${(f)"$(filemgr complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  compadd -a found
  (( \${#found} )) || _files
}
compdef _filemgr filemgr`,
  fish: `complete -c filemgr -a '(filemgr complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`,
  powershell: `Register-ArgumentCompleter -Native -CommandName filemgr -ScriptBlock {
  param($word, $line, $position)
  $words = @($line.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($word -eq '') { $words += '' }
  & filemgr complete '--' @words 2>$null | Where-Object { $_ -like "$word*" } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}`,
} as const

export function completionCommand(program: Command, io: Io): void {
  program
    .command('completion')
    .description('print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>').choices(Object.keys(SCRIPTS)))
    .action((shell: keyof typeof SCRIPTS) => io.out(SCRIPTS[shell]))
    .addHelpText('after', '\nExample:\n  source <(filemgr completion bash)')
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action((args: string[]) => {
      for (const word of candidates(program, args)) io.out(word)
    })
}

/** The candidates for the last word: commands, or options if it begins with a dash. */
function candidates(program: Command, args: readonly string[]): string[] {
  const prefix = args.at(-1) ?? ''
  let command = program
  for (const word of args.slice(0, -1)) {
    command = command.commands.find((subcommand) => subcommand.name() === word) ?? command
  }
  const help = command.createHelp()
  const names = prefix.startsWith('-')
    ? help.visibleOptions(command).flatMap(({ long }) => (long ? [long] : []))
    : help.visibleCommands(command).flatMap((subcommand) => [subcommand.name()])
  return names.filter((name) => name.startsWith(prefix))
}
