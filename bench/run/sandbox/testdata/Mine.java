import java.util.*; import java.util.regex.*; import java.util.stream.*;
class Mine { public static void main(String[] a) throws Exception {
  String s = new String(System.in.readAllBytes());
  List<String> ids = new ArrayList<>(); Matcher m = Pattern.compile("\"id\":\\s*\"([^\"]+)\"").matcher(s); while (m.find()) ids.add(m.group(1));
  m = Pattern.compile("\"work\":\\s*([0-9.]+)").matcher(s); m.find(); String w = m.group(1);
  m = Pattern.compile("\"name\":\\s*\"([^\"]+)\"").matcher(s); m.find();
  long n = IntStream.range(0, 100000).parallel().mapToObj(i -> new int[i % 100]).mapToLong(x -> x.length).sum();
  System.gc();
  if (n > 0) System.out.printf("{\"problem\":\"flex\",\"instance\":\"%s\",\"algorithm\":\"x\",\"intervals\":[{\"start\":0,\"end\":%s,\"slots\":{\"%s\":1,\"%s\":1}},{\"start\":%s,\"end\":%s,\"slots\":{\"%s\":1}}]}%n",
    m.group(1), w, ids.get(0), ids.get(1), w, Double.parseDouble(w) * 2, ids.get(2)); } }
