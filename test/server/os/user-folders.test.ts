import { expect, test } from 'bun:test'
import { userFolders } from '#server/os/user-folders.ts'

test('on Linux the folders are those of XDG, and of the system for the configuration', () => {
  expect(userFolders({ HOME: '/home/ana' }, 'linux')).toEqual({
    allData: '/home/ana/.local/share',
    data: '/home/ana/.local/share/filemgr',
    cache: '/home/ana/.cache/filemgr',
    config: ['/home/ana/.config/filemgr', '/etc/filemgr'],
  })
  expect(userFolders({ HOME: '/home/ana', XDG_DATA_HOME: '/data' }, 'linux').data).toBe(
    '/data/filemgr',
  )
})

test('on macOS the folders are those of the library of the account, unless the account names others', () => {
  expect(userFolders({ HOME: '/Users/ana' }, 'darwin')).toEqual({
    allData: '/Users/ana/Library/Application Support',
    data: '/Users/ana/Library/Application Support/filemgr',
    cache: '/Users/ana/Library/Caches/filemgr',
    config: ['/Users/ana/Library/Application Support/filemgr', '/etc/filemgr'],
  })
  expect(userFolders({ HOME: '/Users/ana', XDG_DATA_HOME: '/data' }, 'darwin').data).toBe(
    '/data/filemgr',
  )
})

test('on Windows all folders are those of the account, and none is one that every account may create', () => {
  const { allData, data, cache, config } = userFolders({ LOCALAPPDATA: '/ana/Local' }, 'win32')
  expect([allData, data, cache]).toEqual([
    '/ana/Local',
    '/ana/Local/filemgr',
    '/ana/Local/filemgr/cache',
  ])
  expect(config).toEqual(['/ana/Local/filemgr'])
})
