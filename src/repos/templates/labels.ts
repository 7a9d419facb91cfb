/** Sets of labels a repository or organization may start with (contract repositories.md 20.2). */

export interface LabelTemplate {
  readonly name: string;
  /** Only one of several labels with the same text before the last slash may be set. */
  readonly exclusive: boolean;
  /** Six hexadecimal digits. */
  readonly color: string;
  readonly description: string;
  /** Position among the labels of its scope; absent: none. */
  readonly exclusiveOrder?: number;
}

const label = (
  name: string,
  color: string,
  description: string,
  exclusive = false,
  exclusiveOrder = 0,
): LabelTemplate => ({
  name,
  exclusive,
  color,
  description,
  ...(exclusiveOrder > 0 ? { exclusiveOrder } : {}),
});

export const labelTemplates: Readonly<Record<string, readonly LabelTemplate[]>> = {
  Advanced: [
    label("Kind/Bug", "ee0701", "Something is not working"),
    label("Kind/Feature", "0288d1", "New functionality"),
    label("Kind/Enhancement", "84b6eb", "Improves something that is there"),
    label("Kind/Security", "9c27b0", "Concerns the safety of data or people"),
    label("Kind/Testing", "795548", "Concerns tests"),
    label("Kind/Documentation", "37474f", "Concerns the documentation"),
    label("Compat/Breaking", "c62828", "Existing uses will have to change"),
    label("Reviewed/Duplicate", "616161", "Another issue says the same", true),
    label("Reviewed/Invalid", "546e7a", "Nothing needs to be done about it", true),
    label("Reviewed/Confirmed", "795548", "Someone has seen it too", true),
    label("Reviewed/Won't Fix", "eeeeee", "It will stay as it is", true),
    label("Status/Need More Info", "424242", "Waits for an answer of the reporter", true),
    label("Status/Blocked", "880e4f", "Waits for something else", true),
    label("Status/Abandoned", "222222", "Someone began and stopped", true),
    label("Priority/Critical", "b71c1c", "Before everything else", true, 1),
    label("Priority/High", "d32f2f", "Soon", true, 2),
    label("Priority/Medium", "e64a19", "In its turn", true, 3),
    label("Priority/Low", "4caf50", "When there is time", true, 4),
  ],
  Default: [
    label("bug", "ee0701", "Something is not working"),
    label("duplicate", "cccccc", "This issue or pull request already exists"),
    label("enhancement", "84b6eb", "New feature"),
    label("help wanted", "128a0c", "Need some help"),
    label("invalid", "e6e6e6", "Something is wrong"),
    label("question", "cc317c", "More information is needed"),
    label("wontfix", "ffffff", "This won't be fixed"),
  ],
};
