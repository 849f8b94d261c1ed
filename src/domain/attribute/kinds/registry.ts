import type {AttributeKind} from '../kinds.ts';
import {checkAny} from './any.ts';
import {checkBoolean} from './boolean.ts';
import type {KindCheck} from './checked.ts';
import {checkDateTime} from './date-time.ts';
import {checkIpHost} from './ip-host.ts';
import {checkIpNetwork} from './ip-network.ts';
import {checkJson} from './json.ts';
import {checkList} from './list.ts';
import {checkMacAddress} from './mac-address.ts';
import {checkNumber} from './number.ts';
import {checkText} from './text.ts';
import {checkTextArea} from './text-area.ts';
import {checkUrl} from './url.ts';

/** The type and format of each kind; what an attribute adds (regex, choices, …) is checked after it. */
export const KIND_CHECKS = {
  ID: checkText,
  Text: checkText,
  TextArea: checkTextArea,
  DateTime: checkDateTime,
  Email: checkText,
  Password: checkText,
  HashedPassword: checkText,
  URL: checkUrl,
  File: checkText,
  MacAddress: checkMacAddress,
  Color: checkText,
  Dropdown: checkText,
  Number: checkNumber,
  Bandwidth: checkNumber,
  IPHost: checkIpHost,
  IPNetwork: checkIpNetwork,
  Boolean: checkBoolean,
  Checkbox: checkBoolean,
  List: checkList,
  JSON: checkJson,
  Any: checkAny,
  NumberPool: checkNumber,
} as const satisfies Record<AttributeKind, KindCheck>;
