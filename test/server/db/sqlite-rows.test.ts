/** The rows in the embedded database. */
import { join } from 'node:path'
import { openDatabase, waitBriefly } from '#server/db/open.ts'
import { SqliteDatabase } from '#server/db/sqlite-database.ts'
import { describeRows } from '../../contract/rows.ts'
import { temporaryFolder } from '../../support/files/tree.ts'

describeRows('SQLite', async () => {
  const folder = temporaryFolder()
  const opened: SqliteDatabase[] = []
  const open = () => {
    const connection = openDatabase(join(folder.path, 'f.db'))
    waitBriefly(connection)
    const db = new SqliteDatabase(connection, async () => undefined)
    opened.push(db)
    return db
  }
  return {
    db: open(),
    openOther: async () => open(),
    close: async () => {
      for (const db of opened) await db.close()
      folder.remove()
    },
  }
})
