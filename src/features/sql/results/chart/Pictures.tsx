import { useState } from 'react'
import { Button } from '../../../../ui/Button.tsx'
import { Popover } from '../../../../ui/overlays/Popover.tsx'
import { Segments } from '../../../../ui/fields/Segments.tsx'
import { fileName, saveFile } from '../../../../ui/save.ts'
import { toastFailure } from '../../../../ui/overlays/toasts.ts'
import { SaveButton } from './buttons.tsx'
import type { ChartData } from './data/chart-data.ts'
import { pngPicture, svgPicture, type Ground } from './draw/picture.ts'
import { saveReport } from '../report/save-report.ts'
import type { HeldRun } from '../types.ts'
import css from './Pictures.module.css'

interface Props {
  readonly data: ChartData
  readonly title: string
  /** The HTML report also has its rows. */
  readonly run: HeldRun
}

/** Exports the chart. */
export function Pictures({ data, title, run }: Props) {
  const [ground, setGround] = useState<Ground>('white')
  const save = async (kind: 'svg' | 'png' | 'html'): Promise<void> => {
    try {
      // The report is also printed, so its chart is on white.
      const svg = svgPicture(data, { title, notes: data.notes, ground: kind === 'html' ? 'white' : ground })
      if (kind === 'html') {
        await saveReport({ run, title, chart: () => Promise.resolve(svg) })
        return
      }
      const blob = kind === 'svg' ? new Blob([svg], { type: 'image/svg+xml' }) : await pngPicture(svg)
      saveFile(blob, fileName(title, kind, 'chart'))
    } catch (error) {
      toastFailure('The picture couldn’t be made', error)
    }
  }
  return (
    <Popover title="Save the chart" trigger={<SaveButton />}>
      <div className={css.panel}>
        <span className={css.label}>Background</span>
        <Segments<Ground>
          label="Background"
          value={ground}
          onChange={setGround}
          items={[
            { value: 'white', label: 'White' },
            { value: 'theme', label: 'As shown' },
          ]}
        />
        <div className={css.buttons}>
          <Button look="primary" size="small" onClick={() => void save('png')}>
            PNG
          </Button>
          <Button size="small" onClick={() => void save('svg')}>
            SVG
          </Button>
          <Button size="small" title="The chart, its statement and its rows" onClick={() => void save('html')}>
            Web page
          </Button>
        </div>
      </div>
    </Popover>
  )
}
