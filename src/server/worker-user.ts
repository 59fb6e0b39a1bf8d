import { spawnSync } from 'node:child_process'
import { chmod, chown, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { namesIn } from './objects/whole-file.ts'
import { named, SettingsError } from './options.ts'

/** User that processes run as. */
export interface WorkerUser {
  readonly uid: number
  readonly gid: number
}

/** Mode of folders that only the server may list, but that others may pass through if they know a name inside. */
export const PASSABLE = 0o711

const SETTING = named('worker-user')

/**
 * The user in a setting; null if it isn't set.
 * @param text a name, or user and group ids separated by a colon
 * @throws {SettingsError} if there's no such user, or processes can't be started as another user
 */
export function workerUser(text: string | null): WorkerUser | null {
  if (text === null) return null
  if (process.getuid?.() !== 0) {
    throw new SettingsError(
      `${SETTING} needs a server that root starts, on Linux or macOS: nobody else may run processes as another user.`,
    )
  }
  const [, uid, gid] = /^(\d{1,9}):(\d{1,9})$/.exec(text) ?? [text, idOf('-u', text), idOf('-g', text)]
  if (uid === undefined || gid === undefined) {
    throw new SettingsError(
      `${SETTING} is “${text}”. It has to be a user of this machine, or numbers such as 1000:1000.`,
    )
  }
  if (Number(uid) === 0 || Number(gid) === 0) {
    throw new SettingsError(`${SETTING} is “${text}”. It has to be another user and group than root’s.`)
  }
  return { uid: Number(uid), gid: Number(gid) }
}

function idOf(which: '-u' | '-g', name: string): string | undefined {
  if (!/^[a-z_][\w.-]*$/i.test(name)) return undefined
  const { status, stdout } = spawnSync('id', [which, name], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** Folders of a server's data that processes need; they get all paths from the server. */
const REACHED = ['objects', 'tables', 'work', 'cache', 'cache/files', 'cache/making']

/**
 * Lets a user access files by the paths that it's given, and nothing else: the folders can't be listed, their names
 * can't be guessed, and the records can't be entered.
 * @param script path of the script that it runs
 * @throws {SettingsError} if it can't access the script or the folders
 */
export async function admitUser(user: WorkerUser, data: string, script?: string): Promise<void> {
  // Processes must be able to read what the server writes. Others on the machine can't enter the folder.
  process.umask(0o022)
  await chown(data, process.getuid?.() ?? 0, user.gid)
  await chmod(data, 0o710)
  const records = path.join(data, 'records')
  await mkdir(records, { recursive: true })
  await chmod(records, 0o700)
  for (const name of REACHED) {
    await mkdir(path.join(data, name), { recursive: true })
    await chmod(path.join(data, name), PASSABLE)
  }
  const objects = path.join(data, 'objects')
  for (const name of await namesIn(objects)) await chmod(path.join(objects, name), PASSABLE)
  const reach = (place: string): boolean => {
    const ask = 'require("node:fs").accessSync(process.argv[1], Number(process.argv[2]))'
    const mode = place === script ? 4 : 1
    return spawnSync(process.execPath, ['-e', ask, place, String(mode)], { ...user, cwd: '/', env: {} }).status === 0
  }
  for (const place of [script, path.join(data, 'work')]) {
    if (place === undefined || reach(place)) continue
    throw new SettingsError(
      `The user of ${SETTING} can’t reach ${place}. Let others pass through the folders above it (chmod o+x), or move it.`,
    )
  }
}

/** Passes files between the server and its processes. */
export interface Handover {
  /** Makes a folder writable for processes. */
  give(folder: string): Promise<void>
  /** Takes ownership of a file or folder, so that processes can't change it any more. */
  take(place: string): Promise<void>
}

/** @param user null if processes run as the server's user, so that there's nothing to do */
export function handover(user: WorkerUser | null): Handover {
  return {
    async give(folder) {
      await mkdir(folder, { recursive: true, mode: PASSABLE })
      if (user) await chown(folder, user.uid, user.gid)
    },
    async take(place) {
      if (user) await chown(place, process.getuid?.() ?? 0, process.getgid?.() ?? 0)
    },
  }
}
