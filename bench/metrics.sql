-- 20 metrics of the page 00000001, each with a value every 5 minutes for 90 days.
insert into metric (page_id, name, unit, created_at, updated_at)
  select '00000001', 'Response time ' || m, 'ms', clock_timestamp(), clock_timestamp() from generate_series(1, 20) m;

insert into metric_bucket (metric_id, seconds, began_at, sum, count, min, max)
  select id, seconds, to_timestamp(slot * seconds), value, 1, value, value
  from metric
    cross join (values (300), (3600)) size (seconds)
    cross join lateral (
      select slot, round(100 + 50 * sin(slot / 20.0 + id) + 20 * random()) as value
      from generate_series(
        ceil(extract(epoch from now() - interval '90 days') / seconds)::bigint,
        floor(extract(epoch from now()) / seconds)::bigint) slot
    ) points;
