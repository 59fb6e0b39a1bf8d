#!/usr/bin/perl
# Writes the workbooks with Perl's Spreadsheet::WriteExcel (.xls) and Excel::Writer::XLSX (.xlsx): perl make.pl FOLDER
use strict; use warnings; use utf8;
use Spreadsheet::WriteExcel; use Excel::Writer::XLSX;
my $to = shift or die "make.pl FOLDER\n";
my %made = (
  dates => sub { my ($b, $s) = @_;
    my $d = $b->add_format(num_format => 'yyyy-mm-dd'); my $t = $b->add_format(num_format => 'yyyy-mm-dd hh:mm:ss');
    $s->write_row(0, 0, ['id', 'day', 'moment']);
    my @rows = (['2024-01-31T', '2024-02-29T23:59:59'], ['1999-12-31T', '2000-01-01T00:00:01'], ['1900-03-01T', '1950-06-15T12:00:00'], ['2099-12-31T', '2024-03-31T02:30:15']);
    for my $i (0 .. $#rows) { $s->write($i + 1, 0, $i + 1); $s->write_date_time($i + 1, 1, $rows[$i][0], $d); $s->write_date_time($i + 1, 2, $rows[$i][1], $t) } },
  'dates-1904' => sub { my ($b, $s) = @_;
    my $d = $b->add_format(num_format => 'yyyy-mm-dd');
    $s->write_row(0, 0, ['id', 'day']);
    my @days = ('1904-01-02T', '1999-12-31T', '2024-02-29T', '2050-07-04T');
    for my $i (0 .. $#days) { $s->write($i + 1, 0, $i + 1); $s->write_date_time($i + 1, 1, $days[$i], $d) } },
  errors => sub { my ($b, $s) = @_;
    $s->write_row(0, 0, ['id', 'ratio', 'is large']);
    for my $i (1 .. 5) { $s->write($i, 0, $i); my $half = $i / 2;
      if ($i == 3) { $s->write_formula($i, 1, '=1/0', undef, '#DIV/0!') } else { $s->write($i, 1, $half) }
      $s->write_formula($i, 2, "=A" . ($i + 1) . ">3", undef, $i > 3 ? 'TRUE' : 'FALSE') } },
  merged => sub { my ($b, $s) = @_;
    my $f = $b->add_format(align => 'center');
    $s->write(0, 0, 'region'); $s->merge_range(0, 1, 0, 2, 'units', $f); $s->write_row(1, 0, ['', 'Q1', 'Q2']);
    my @regions = ('North', 'South', 'East', 'West');
    $s->write_row($_ + 2, 0, [$regions[$_], $_ * 7 + 1, $_ * 5 + 2]) for 0 .. 3 },
  sheets => sub { my ($b, $s) = @_;
    $s->write_row($_, 0, $_ ? [$_, "item $_"] : ['id', 'item']) for 0 .. 6;
    my $two = $b->add_worksheet('Zwei'); $two->write_row($_, 0, $_ ? [$_ * 1.5, "x$_", $_ * 100] : ['price', 'code', 'stock']) for 0 .. 4;
    $b->add_worksheet('Empty');
    my $three = $b->add_worksheet('Third & last'); $three->write_row($_, 0, $_ ? ["k$_", $_ % 2 ? 'a' : 'b'] : ['key', 'kind']) for 0 .. 3 },
  formulas => sub { my ($b, $s) = @_;
    $s->write_row(0, 0, ['units', 'price', 'total', 'label']);
    for my $i (1 .. 6) { my $r = $i + 1; $s->write_row($i, 0, [$i, $i + 0.25]);
      $s->write_formula($i, 2, "=A$r*B$r", undef, $i * ($i + 0.25)); $s->write_formula($i, 3, "=\"no \"&A$r", undef, "no $i") } },
  umlauts => sub { my ($b, $s) = @_;
    $s->write_row(0, 0, ['Größe', 'Straße', 'Примечание']);
    my @t = (['groß', 'Müllerstraße 5', 'да'], ['łódź', 'Österreichring', 'нет'], ['日本語', 'Façade – “x”', '€ 5'], ['naïve', "two\nlines", 'ß']);
    $s->write_row($_ + 1, 0, $t[$_]) for 0 .. 3 },
  numbers => sub { my ($b, $s) = @_;
    my $c = $b->add_format(num_format => '#,##0.00');
    $s->write_row(0, 0, ['id', 'large', 'small', 'money']);
    my @n = (123456789012, 9007199254740991, -42, 1e15, 0, 2147483648);
    for my $i (0 .. 5) { $s->write($i + 1, 0, $i); $s->write_number($i + 1, 1, $n[$i]); $s->write_number($i + 1, 2, ($i + 1) / 1000); $s->write_number($i + 1, 3, $i * 1234.5, $c) } },
  texts => sub { my ($b, $s) = @_;
    $s->write_row(0, 0, ['code', 'note', 'amount']);
    my @c = ('00501', '10001', '02134', '94105');
    for my $i (0 .. 3) { $s->write_string($i + 1, 0, $c[$i]); $s->write_string($i + 1, 1, $i == 2 ? 'a "quoted", text; with |' : "note $i"); $s->write($i + 1, 2, $i * 10) } },
  hidden => sub { my ($b, $s) = @_;
    $s->write_row($_, 0, $_ ? [$_, "row $_", $_ * 2] : ['id', 'name', 'twice']) for 0 .. 8;
    $s->set_row(3, undef, undef, 1); $s->set_row(4, undef, undef, 1); $s->set_column('C:C', undef, undef, 1) },
  protected => sub { my ($b, $s) = @_; $s->protect('secret');
    $s->write_row($_, 0, $_ ? [$_, $_ * 11] : ['id', 'amount']) for 0 .. 5 },
  offset => sub { my ($b, $s) = @_;
    $s->write_row($_ + 4, 2, $_ ? [$_, "v$_", $_ / 4] : ['id', 'value', 'quarter']) for 0 .. 5 },
);
for my $kind (['xls', 'Spreadsheet::WriteExcel'], ['xlsx', 'Excel::Writer::XLSX']) {
  my ($extension, $writer) = @$kind;
  mkdir "$to/$extension";
  for my $name (sort keys %made) {
    my $book = $writer->new("$to/$extension/$name-perl.$extension") or die $!;
    $book->set_properties(author => '') if $extension eq 'xlsx';
    $book->set_1904(1) if $name eq 'dates-1904';
    my $sheet = $book->add_worksheet('Data');
    $made{$name}->($book, $sheet);
    $book->close;
  }
}
