import type { AffectedComponent } from './impact.service.js';
import type { NoticeDetails } from './notice.inputs.js';
import type { WindowInput } from './notice.schedule.js';
import type { RecurrenceInput } from './recurrence/recurrence.inputs.js';

export interface Window {
  beginsAt: Date;
  endsAt: Date;
}

/** What an interface asks for. Fields that are undefined stay as they are, or get their default. */
export interface NoticeValues extends WindowInput, NoticeDetails {
  subject?: string | null;
  content?: string | null;
  /** The name of the content in the interface, for errors. Default: content. */
  contentField?: string;
  state?: string | null;
  stateEvent?: string | null;
  shouldPublish?: boolean | null;
  componentIds?: string[] | null;
  affectedComponents?: AffectedComponent[] | null;
  tagList?: string[] | null;
  shouldAutomateSchedule?: boolean | null;
  reminder?: string | null;
  beganAt?: Date | null;
  endedAt?: Date | null;
  nextUpdateBy?: Date | null;
  /** Another publication has announced it: nothing is sent now, and its later changes are published as usual. */
  isAnnounced?: boolean;
  /** Of a series: the windows after that of the notice, which its message names. */
  furtherWindows?: readonly Window[];
  /** Of the preview that the author has confirmed. */
  previewHash?: string | null;
  /** /v1 ignores what does not belong to the type of the notice, and has second spellings of the window. */
  isFromV1?: boolean;
}

export interface NewNoticeValues extends NoticeValues {
  /** Default: unplanned. */
  type?: string | null;
  /** A template that fills in what is undefined or null. */
  templateId?: string | null;
  recurrence?: RecurrenceInput | null;
  /** It stands for one that named components, which may have been deleted since. */
  namedComponents?: boolean;
}
