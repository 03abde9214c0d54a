/** Reads an installation of File Browser from its database or its exports. */
import { extname } from 'node:path'
import { type DocumentTree, ENDINGS, isTree, readDocument } from '#server/config/document.ts'
import { branchOf } from '#server/settings/filebrowser-format.ts'
import { Fault } from '#wire/fault.ts'
import { type Bucket, openBolt } from './bolt.ts'

/** The data as stored, before it is interpreted. */
export interface OldInstallation {
  /** `{settings, server, auther}`, as `config export` writes it. */
  settings?: DocumentTree
  /** As `users export` writes them. */
  users?: unknown[]
  shares?: unknown[]
}

/** The format of File Browser 2; that of version 1 is not supported. */
const LAYOUT = 2

/**
 * Reads a database, or exports that belong together.
 *
 * @throws Fault notFound, badRequest, locked, unprocessable; each names the file
 */
export function readOldInstallation(paths: readonly string[]): OldInstallation {
  const parts = paths.map((path) => {
    const isDocument = ENDINGS.some((ending) => ending === extname(path).toLowerCase())
    return isDocument ? readExport(path) : readDatabase(path)
  })
  const whole: OldInstallation = {}
  for (const part of parts) {
    for (const name of ['settings', 'users', 'shares'] as const) {
      if (part[name] === undefined) continue
      if (whole[name] !== undefined) {
        throw new Fault(
          'badRequest',
          `Two of the files contain ${name}. Name one file of each kind.`,
        )
      }
    }
    Object.assign(whole, part)
  }
  return whole
}

/** @throws Fault badRequest for another document */
function readExport(path: string): OldInstallation {
  const document = readDocument(path)
  if (Array.isArray(document)) return { users: document }
  if (isTree(document) && branchOf(document, 'settings') && branchOf(document, 'server')) {
    const parts: OldInstallation = { settings: document }
    // `filemgr export` writes everything to one file.
    if (Array.isArray(document.users)) parts.users = document.users
    if (Array.isArray(document.shares)) parts.shares = document.shares
    return parts
  }
  throw new Fault(
    'badRequest',
    `${path} is not an export: it contains neither a list of users nor settings with server.`,
  )
}

function readDatabase(path: string): OldInstallation {
  const file = openBolt(path)
  try {
    const config = file.root.bucket('config')
    if (!config) throw new Fault('badRequest', `${path} is not a database of File Browser.`)
    const stored = new Map<string, unknown>()
    for (const { key, value } of config.entries())
      stored.set(`${key}`, parse(path, value, `${key}`))
    if (stored.get('version') !== LAYOUT || !isTree(stored.get('settings'))) {
      throw new Fault(
        'badRequest',
        `${path} was not written by File Browser 2. Start File Browser 2 with it once, then try again.`,
      )
    }
    return {
      settings: {
        settings: stored.get('settings'),
        server: stored.get('server') ?? {},
        auther: stored.get('auther') ?? {},
      },
      users: records(path, file.root.bucket('User'), 'user'),
      shares: records(path, file.root.bucket('Link'), 'share'),
    }
  } finally {
    file.close()
  }
}

function records(path: string, bucket: Bucket | undefined, kind: string): unknown[] {
  return [...(bucket?.entries() ?? [])].map(({ value }) => parse(path, value, `a ${kind}`))
}

/** @throws Fault unprocessable */
function parse(path: string, value: Buffer, recordName: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(value))
  } catch (cause) {
    throw new Fault('unprocessable', `${path} is damaged: ${recordName} cannot be read.`, { cause })
  }
}
