/** Generates the manual page from the command tree (man-pages(7)). */
import type { Command, Option } from 'commander'
import { envOf, OPTIONS } from '#server/config/options.ts'
import { EXIT } from './exit.ts'

const EXIT_TEXTS: Record<keyof typeof EXIT, string> = {
  ok: 'The command succeeded.',
  failed: 'The command failed. Standard error has the reason.',
  usage: 'An argument is invalid, or a given file cannot be used.',
  notFound: 'The named object does not exist.',
}

/** @param version of the program, for the footer */
export function manualPage(program: Command, version: string): string {
  const commands = leavesOf(program)
  return [
    `.TH FILEMGR 1 "" "filemgr ${escaped(version)}" "User Commands"`,
    '.SH NAME',
    'filemgr \\- serve a folder to browsers',
    '.SH SYNOPSIS',
    ...commands.flatMap(synopsis),
    '.SH DESCRIPTION',
    text(program.description()),
    'Without a command, options are those of',
    '.BR "filemgr serve" .',
    '.SH COMMANDS',
    ...commands.flatMap(described),
    '.SH ENVIRONMENT',
    'Each option of the configuration has a variable. Flags take precedence over it. It takes precedence over the configuration file and the database.',
    ...OPTIONS.flatMap(({ key, help }) => ['.TP', `.B ${escaped(envOf(key))}`, text(help)]),
    '.TP',
    '.B FILEMGR_DATABASE_PASSWORD',
    text('the password of a PostgreSQL database, unless a file has it'),
    '.SH EXIT STATUS',
    ...Object.entries(EXIT).flatMap(([name, code]) => [
      '.TP',
      `.B ${code}`,
      text(EXIT_TEXTS[name as keyof typeof EXIT]),
    ]),
    '.SH FILES',
    '.TP',
    `.I ${escaped('~/.local/share/filemgr/filemgr.db')}`,
    'users, settings and shares, unless another database is set',
    '.TP',
    `.I ${escaped('~/.config/filemgr/config.yaml, /etc/filemgr/config.yaml')}`,
    'the configuration, also as .json and .toml',
    '',
  ].join('\n')
}

/** Commands without subcommands, with their full names. */
function leavesOf(command: Command): Command[] {
  const children = command.createHelp().visibleCommands(command)
  const subcommands = children.filter((child) => child.name() !== 'help')
  return subcommands.length === 0 ? [command] : subcommands.flatMap(leavesOf)
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}

function synopsis(command: Command): string[] {
  const args = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`
    return argument.required ? `<${name}>` : `[${name}]`
  })
  return [`.B ${escaped(pathOf(command))}`, text(['[options]', ...args].join(' ')), '.br']
}

function described(command: Command): string[] {
  const help = command.createHelp()
  const options = help.visibleOptions(command).filter(({ long }) => long !== '--help')
  return [
    `.SS ${escaped(pathOf(command))}`,
    text(`${capitalized(command.description())}.`),
    ...options.flatMap((option) => optionLines(option)),
  ]
}

function optionLines({ flags, description, argChoices: choices }: Option): string[] {
  // The flags of a switch name its values.
  const values = choices?.some((choice) => !flags.includes(choice)) && choices.join(', ')
  return ['.TP', `.B ${escaped(flags)}`, text(values ? `${description}: ${values}` : description)]
}

function capitalized(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

/** Escapes a line so that troff does not read it as a request. */
function text(line: string): string {
  const escapedLine = escaped(line.replaceAll('\n', ' '))
  return escapedLine.startsWith('.') ? `\\&${escapedLine}` : escapedLine
}

/** Escapes of characters that troff prints as others, such as a backtick as a typographic quote (groff_char(7)). */
const ESCAPES: Record<string, string> = {
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '’': '\\(cq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
}

function escaped(plain: string): string {
  return plain
    .replace(/[\\\-'’`^~]/g, (letter) => ESCAPES[letter] ?? letter)
    .replace(/[^\n -~]/gu, (letter) => {
      const code = (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
      return `\\[u${code}]`
    })
}
