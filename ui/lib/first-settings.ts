/** Groups of the messages of the settings that the first page shows too; it loads without the others. */
export const FIRST_SETTINGS: readonly string[] = ['title', 'trash']
