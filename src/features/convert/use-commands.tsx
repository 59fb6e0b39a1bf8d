import CirclePlay from 'lucide-react/icons/circle-play'
import CircleX from 'lucide-react/icons/circle-x'
import Download from 'lucide-react/icons/download'
import Eraser from 'lucide-react/icons/eraser'
import FilePlus from 'lucide-react/icons/file-plus'
import FileText from 'lucide-react/icons/file-text'
import FolderPlus from 'lucide-react/icons/folder-plus'
import Sparkles from 'lucide-react/icons/flask-conical'
import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { useOffer, type Command } from '../../ui/commands.ts'
import { useConvert, useJobs, useStoredJobs } from './context.tsx'
import { sampleFile } from '../../tables/sample.ts'
import { jobsToCancel, jobsToConvert, nameOf } from './model/job.ts'
import { pickFiles, pickFolder } from './parts/AddFiles.tsx'
import { useQueueActions } from './queue-actions.ts'

/** The Convert screen's commands in the palette. */
export function useConvertCommands(): void {
  const { addFiles, store } = useConvert()
  const navigate = useNavigate()
  const live = useJobs()
  const stored = useStoredJobs()
  const { convertAll, downloadAll, cancelAll, clearFinished, hasFinished } = useQueueActions()
  const names = [
    ...live.map((job) => [job.id, nameOf(job)] as const),
    ...(stored ?? []).map(({ record }) => [record.id, record.fileName] as const),
  ]
  // Jobs change ten times a second during progress, but commands only depend on names.
  const key = JSON.stringify(names.slice(0, 200))
  const commands = useMemo(() => {
    const group = 'Convert'
    const fixed: Command[] = [
      { id: 'add', group, label: 'Add files…', icon: <FilePlus />, keywords: ['open', 'upload'], run: pickFiles },
      { id: 'folder', group, label: 'Add a folder…', icon: <FolderPlus />, run: pickFolder },
      { id: 'sample', group, label: 'Try with a sample', icon: <Sparkles />, run: () => void addFiles([sampleFile()]) },
      {
        id: 'convert-all',
        group,
        label: 'Convert all',
        icon: <CirclePlay />,
        isOffered: () => jobsToConvert(store.snapshot()).length > 0,
        run: convertAll,
      },
      {
        id: 'download-all',
        group,
        label: 'Download all',
        icon: <Download />,
        keywords: ['save', 'zip'],
        run: downloadAll,
      },
      {
        id: 'cancel-all',
        group,
        label: 'Cancel all',
        icon: <CircleX />,
        keywords: ['stop'],
        isOffered: () => jobsToCancel(store.snapshot()).length > 0,
        run: cancelAll,
      },
      { id: 'clear', group, label: 'Clear finished', icon: <Eraser />, isOffered: hasFinished, run: clearFinished },
    ]
    const files = (JSON.parse(key) as [string, string][]).map(([id, name]): Command => ({
      id: `file-${id}`,
      group: 'Files',
      label: name,
      icon: <FileText />,
      run: () => void navigate(`/convert/${id}`),
    }))
    return [...fixed, ...files]
  }, [key, addFiles, store, navigate, convertAll, downloadAll, cancelAll, clearFinished, hasFinished])
  useOffer(commands)
}
