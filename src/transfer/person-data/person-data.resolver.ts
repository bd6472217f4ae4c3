import { Field, InputType, Int, ObjectType, Resolver } from 'type-graphql';
import { InjectWriter, InputArg, WriteMutation } from '../../graphql/field-decorators.js';
import type { Writer } from '../../records/writer.js';
import { erasePersonData, type Erasure } from './erase-person-data.js';
import { exportPersonData } from './export-person-data.js';

@InputType({ description: 'A person.' })
class PersonDataInput {
  @Field(() => String, { description: 'An e-mail address, or a phone number with its country code.' })
  address!: string;
}

const PersonArg = () => InputArg(() => PersonDataInput, 'The person.');

@ObjectType({ description: 'How many records of one kind.' })
class PersonDataCount {
  @Field(() => String, { description: 'What they are, or the column that has the address.' })
  kind!: string;

  @Field(() => Int, { description: 'The number of these records.' })
  count!: number;
}

@ObjectType({ description: 'What is stored of a person.' })
class ExportPersonDataPayload {
  @Field(() => String, { description: 'JSON, with the names of tables and columns.' })
  json!: string;
}

@ObjectType({ description: 'The receipt of an erasure.' })
class ErasePersonDataPayload implements Erasure {
  @Field(() => [PersonDataCount], {
    description: 'The records that were deleted, or in which the address was replaced.',
  })
  erased!: PersonDataCount[];

  @Field(() => [PersonDataCount], {
    description:
      'The columns that still have the address, since operators wrote it into a text or a setting: edit those.',
  })
  remaining!: PersonDataCount[];
}

@Resolver()
export class PersonDataResolver {
  @WriteMutation(
    () => ExportPersonDataPayload,
    'administratorOfAllPages',
    'Exports all that is stored of the person with an address, on all pages. It is a mutation since the audit log ' +
      'has an entry for it; the request takes no Idempotency-Key.',
    { isSecret: true },
  )
  async exportPersonData(@PersonArg() { address }: PersonDataInput, @InjectWriter() write: Writer) {
    return { json: await exportPersonData(write, address) };
  }

  @WriteMutation(
    () => ErasePersonDataPayload,
    'administratorOfAllPages',
    'Erases what is stored of the person with an address, on all pages: subscriptions, deliveries, codes, the ' +
      'account of an operator, and the address in the audit log. It cannot be undone. A keyed hash is left, by which ' +
      'an import leaves the address out. Its response names the person, so the request takes no Idempotency-Key.',
    { isSecret: true },
  )
  erasePersonData(@PersonArg() { address }: PersonDataInput, @InjectWriter() write: Writer): Promise<Erasure> {
    return write.transaction(unit => erasePersonData(unit, address));
  }
}
