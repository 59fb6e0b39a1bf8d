/** The path within a folder, whether or not a proxy has removed the folder. @param folder without a slash at its end */
export const pathWithin = (folder: string, path: string): string =>
  folder !== '' && path.startsWith(`${folder}/`) ? path.slice(folder.length) : path
