/** The path after a folder, whether a proxy has left that out or not. @param folder without a slash at its end */
export const pathWithin = (folder: string, path: string): string =>
  folder !== '' && path.startsWith(`${folder}/`) ? path.slice(folder.length) : path
