// The licence texts, with [year] and [fullname] as placeholders. Loaded by licenses.ts on first use only.
import zeroBsd from "./licenses/0bsd.txt" with { type: "text" };
import agpl3 from "./licenses/agpl-3.0.txt" with { type: "text" };
import apache2 from "./licenses/apache-2.0.txt" with { type: "text" };
import artistic2 from "./licenses/artistic-2.0.txt" with { type: "text" };
import bsd2 from "./licenses/bsd-2-clause.txt" with { type: "text" };
import bsd3 from "./licenses/bsd-3-clause.txt" with { type: "text" };
import bsl1 from "./licenses/bsl-1.0.txt" with { type: "text" };
import ccBy4 from "./licenses/cc-by-4.0.txt" with { type: "text" };
import ccBySa4 from "./licenses/cc-by-sa-4.0.txt" with { type: "text" };
import cc0 from "./licenses/cc0-1.0.txt" with { type: "text" };
import epl2 from "./licenses/epl-2.0.txt" with { type: "text" };
import eupl from "./licenses/eupl-1.2.txt" with { type: "text" };
import gpl2 from "./licenses/gpl-2.0.txt" with { type: "text" };
import gpl3 from "./licenses/gpl-3.0.txt" with { type: "text" };
import isc from "./licenses/isc.txt" with { type: "text" };
import lgpl21 from "./licenses/lgpl-2.1.txt" with { type: "text" };
import lgpl3 from "./licenses/lgpl-3.0.txt" with { type: "text" };
import mit from "./licenses/mit.txt" with { type: "text" };
import mit0 from "./licenses/mit-0.txt" with { type: "text" };
import mpl2 from "./licenses/mpl-2.0.txt" with { type: "text" };
import ofl from "./licenses/ofl-1.1.txt" with { type: "text" };
import unlicense from "./licenses/unlicense.txt" with { type: "text" };
import wtfpl from "./licenses/wtfpl.txt" with { type: "text" };
import zlib from "./licenses/zlib.txt" with { type: "text" };
import type { LicenseId } from "./licenses.ts";

export const licenseTexts: Readonly<Record<LicenseId, string>> = {
  "0BSD": zeroBsd,
  "AGPL-3.0-only": agpl3,
  "AGPL-3.0-or-later": agpl3,
  "Apache-2.0": apache2,
  "Artistic-2.0": artistic2,
  "BSD-2-Clause": bsd2,
  "BSD-3-Clause": bsd3,
  "BSL-1.0": bsl1,
  "CC-BY-4.0": ccBy4,
  "CC-BY-SA-4.0": ccBySa4,
  "CC0-1.0": cc0,
  "EPL-2.0": epl2,
  "EUPL-1.2": eupl,
  "GPL-2.0-only": gpl2,
  "GPL-2.0-or-later": gpl2,
  "GPL-3.0-only": gpl3,
  "GPL-3.0-or-later": gpl3,
  ISC: isc,
  "LGPL-2.1-only": lgpl21,
  "LGPL-2.1-or-later": lgpl21,
  "LGPL-3.0-only": lgpl3,
  "LGPL-3.0-or-later": lgpl3,
  MIT: mit,
  "MIT-0": mit0,
  "MPL-2.0": mpl2,
  "OFL-1.1": ofl,
  Unlicense: unlicense,
  WTFPL: wtfpl,
  Zlib: zlib,
};
